//! The tests of the runtime as one binary.

#[macro_use]
mod widths;

mod chosen_tables;
mod fairness;
mod lut_program;
mod machine;
mod network;
mod pile;
mod selection;
mod transpose;
