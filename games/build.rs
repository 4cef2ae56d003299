//! Compiles the rule sheets of this folder.

fn main() {
    gdlc::build::compile_games(".");
}
