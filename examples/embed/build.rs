//! Compiles the games of `games/`.

fn main() {
    gdlc::build::compile_games("games");
}
