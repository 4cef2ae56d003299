//! The bytes of instructions, compared with those of an independent assembler (GNU as).

use super::Assembler;
use crate::plan::Arity;
use crate::x86::operand::{Binary, Memory, Operand};
use crate::x86::target::Target;
use gdl_runtime::lanes::Width;

/// What `write` writes for a target, in hexadecimal.
fn written(arity: Arity, width: Width, write: impl FnOnce(&mut Assembler)) -> String {
    let target = Target::of(arity, width).expect("the assembler has this target");
    let mut assembler = Assembler::new(target);
    write(&mut assembler);
    let bytes = assembler.finish();
    let bytes: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    bytes.join(" ")
}

#[test]
fn avx512_instructions_are_those_of_other_assemblers() {
    let bytes = |write: &dyn Fn(&mut Assembler)| written(Arity::Three, Width::W512, |a| write(a));
    let registers = bytes(&|a| a.ternary(0xca, 1, 17, Operand::Register(30)));
    assert_eq!(registers, "62 93 f5 40 25 ce ca");
    let near = bytes(&|a| a.ternary(0xca, 9, 2, Operand::Memory(Memory::Now(5))));
    assert_eq!(near, "62 73 ed 48 25 4f 05 ca");
    let far = bytes(&|a| a.load(31, Operand::Memory(Memory::Now(128))));
    assert_eq!(far, "62 61 fd 48 6f bf 00 20 00 00");
    let work = bytes(&|a| a.load(8, Operand::Memory(Memory::Work(3 * 256))));
    assert_eq!(work, "62 51 fd 48 6f 40 80");
    let beyond = bytes(&|a| a.load(8, Operand::Memory(Memory::Work(7 * 256 + 128))));
    assert_eq!(beyond, "62 51 fd 48 6f 83 00 40 00 00");
    let narrow = Operand::Memory(Memory::Now(5));
    let narrow = written(Arity::Three, Width::W256, |a| a.ternary(0xca, 9, 2, narrow));
    assert_eq!(narrow, "62 73 ed 28 25 4f 05 ca");
    let store = bytes(&|a| a.store(Memory::Next(127), 16));
    assert_eq!(store, "62 e1 fd 48 7f 42 7f");
    let binary = bytes(&|a| a.binary(Binary::AndNot, 3, 20, Operand::Register(12)));
    assert_eq!(binary, "62 d1 dd 40 df dc");
    let lea = bytes(&|a| a.lea(9, 6, 0x4000));
    assert_eq!(lea, "4c 8d 8e 00 40 00 00");
    let test = bytes(&|a| {
        let label = a.label();
        a.jump_if_any(31, 30, &label);
    });
    assert_eq!(test, "62 92 85 40 27 cf c5 f8 98 c9 0f 85 f0 ff ff ff");
}

#[test]
fn avx2_instructions_are_those_of_other_assemblers() {
    let bytes = |write: &dyn Fn(&mut Assembler)| written(Arity::Two, Width::W256, |a| write(a));
    let short = bytes(&|a| a.binary(Binary::AndNot, 3, 12, Operand::Register(5)));
    assert_eq!(short, "c5 9d df dd");
    let long = bytes(&|a| a.binary(Binary::AndNot, 3, 2, Operand::Register(13)));
    assert_eq!(long, "c4 c1 6d df dd");
    let near = bytes(&|a| a.binary(Binary::Xor, 11, 14, Operand::Memory(Memory::Now(3))));
    assert_eq!(near, "c5 0d ef 5f 60");
    let far = bytes(&|a| a.binary(Binary::Or, 1, 2, Operand::Memory(Memory::Work(4))));
    assert_eq!(far, "c5 ed eb 8e 80 00 00 00");
    let load = bytes(&|a| a.load(9, Operand::Memory(Memory::Next(1))));
    assert_eq!(load, "c5 7d 6f 4a 20");
    let store = bytes(&|a| a.store(Memory::Next(128), 15));
    assert_eq!(store, "c5 7d 7f ba 00 10 00 00");
    let copy = bytes(&|a| a.load(8, Operand::Register(14)));
    assert_eq!(copy, "c4 41 7d 6f c6");
    assert_eq!(bytes(&|a| a.fill(6)), "c5 cd 76 f6");
    // Operands that can change places do so for the shorter prefix.
    let swapped = bytes(&|a| a.binary(Binary::And, 3, 5, Operand::Register(12)));
    assert_eq!(swapped, "c5 9d db dd");
    let test = bytes(&|a| {
        let label = a.label();
        a.jump_if_any(14, 13, &label);
    });
    assert_eq!(test, "c4 42 7d 17 f6 0f 85 f5 ff ff ff");
}

#[test]
fn sse2_instructions_are_those_of_other_assemblers() {
    let bytes = |write: &dyn Fn(&mut Assembler)| written(Arity::Two, Width::W128, |a| write(a));
    let registers = bytes(&|a| a.binary(Binary::AndNot, 3, 3, Operand::Register(12)));
    assert_eq!(registers, "41 0f 55 dc");
    let near = bytes(&|a| a.binary(Binary::Or, 11, 11, Operand::Memory(Memory::Now(7))));
    assert_eq!(near, "44 0f 56 5f 70");
    let far = bytes(&|a| a.binary(Binary::Xor, 2, 2, Operand::Memory(Memory::Work(8))));
    assert_eq!(far, "0f 57 96 80 00 00 00");
    let load = bytes(&|a| a.load(9, Operand::Memory(Memory::Next(1))));
    assert_eq!(load, "44 0f 28 4a 10");
    let store = bytes(&|a| a.store(Memory::Work(128), 15));
    assert_eq!(store, "44 0f 29 be 00 08 00 00");
    let copy = bytes(&|a| a.load(8, Operand::Register(1)));
    assert_eq!(copy, "44 0f 28 c1");
    assert_eq!(bytes(&|a| a.fill(13)), "66 45 0f 76 ed");
    let test = bytes(&|a| {
        let label = a.label();
        a.jump_if_any(15, 14, &label);
    });
    let expected = "45 0f 57 f6 66 45 0f 76 f7 66 41 0f d7 c6 3d ff ff 00 00 0f 85 e7 ff ff ff";
    assert_eq!(test, expected);
}
