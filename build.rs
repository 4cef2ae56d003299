//! Compiles the games of `games/`, which are linked into the `gdl` command.

fn main() {
    gdlc::build::compile_games("games");
}
