//! A program with a compiled game in it: `build.rs` compiles `games/nim.kif`, and the
//! program plays many games of it at once, at random.

use gdl_runtime::engine::Engine as _;
use gdl_runtime::lanes::Width;

/// What the build script wrote: a module for every rule sheet, and `GAMES`.
#[allow(missing_docs, clippy::all, clippy::pedantic)]
mod games {
    include!(concat!(env!("OUT_DIR"), "/games.rs"));
}

fn main() {
    for game in games::GAMES {
        let engine = game
            .engine(Width::widest())
            .expect("this is the runtime that it was compiled for");
        let mut lanes = engine.lanes(1);
        let tally = lanes.playouts(&mut |tally| tally.playouts < 1_000_000);
        println!("{} games of {}", tally.playouts, game.name());
        for (role, goals) in engine.roles().iter().zip(&tally.goals) {
            let mean = *goals as f64 / tally.playouts as f64;
            println!("{role}: {mean:.2} on average");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gdl_runtime::perft;

    #[test]
    fn the_compiled_game_counts_its_moves() {
        let mut nim = games::nim::GAME
            .engine(Width::W64)
            .expect("this is the runtime that it was compiled for");
        let initial = nim.initial();
        assert_eq!(nim.roles(), ["first", "second"]);
        // 3 + 4 + 5 coins, and one move for each.
        assert_eq!(perft::count(&mut nim, &initial, 1), 12);
        // Taking j of h coins leaves 12 - j: Σ over heaps h of Σ (12 - j).
        assert_eq!(perft::count(&mut nim, &initial, 2), 144 - (6 + 10 + 15));
    }
}
