//! The checks, a file a group; this is the one place that lists them.

mod connections;
mod faults;
mod games;
mod messages;
mod spelling;

use super::{Check, Group};
use Group::{Connections, Faults, Games, Messages, Spelling};

const fn check(
    group: Group,
    name: &'static str,
    run: fn(&super::Player) -> super::Verdict,
) -> Check {
    Check { group, name, run }
}

/// All checks, in the order in which they are run.
pub const ALL: &[Check] = &[
    check(Messages, "INFO is answered within a second", messages::info),
    check(
        Messages,
        "the reply's head is right, the connection closed",
        messages::reply,
    ),
    check(Messages, "PREVIEW is answered", messages::preview),
    check(Messages, "START, PLAY, STOP", messages::start_play_stop),
    check(
        Messages,
        "ABORT frees the player for another match",
        messages::abort,
    ),
    check(
        Messages,
        "INFO is answered while the player thinks",
        messages::info_during_play,
    ),
    check(Spelling, "no blanks", spelling::no_blanks),
    check(Spelling, "keywords in lower case", spelling::lower_case),
    check(Spelling, "everything in upper case", spelling::upper_case),
    check(
        Spelling,
        "line ends and tabs for blanks",
        spelling::line_ends,
    ),
    check(Spelling, "comments among the rules", spelling::comments),
    check(
        Spelling,
        "more arguments on START",
        spelling::more_arguments,
    ),
    check(
        Spelling,
        "() for NIL in the first round",
        spelling::empty_round,
    ),
    check(Spelling, "header names in any case", spelling::header_case),
    check(
        Spelling,
        "no header but Content-Length",
        spelling::few_headers,
    ),
    check(
        Spelling,
        "HTTP/1.1 that would keep the connection",
        spelling::newer_http,
    ),
    check(
        Spelling,
        "lines that end without carriage return",
        spelling::bare_line_ends,
    ),
    check(
        Spelling,
        "no Content-Length, end of stream",
        spelling::no_length_closed,
    ),
    check(
        Spelling,
        "no Content-Length, connection left open",
        spelling::no_length_open,
    ),
    check(
        Spelling,
        "Content-Length in characters",
        spelling::length_in_characters,
    ),
    check(Spelling, "a message in the address of a GET", spelling::get),
    check(
        Spelling,
        "OPTIONS is answered by an empty reply",
        spelling::options,
    ),
    check(Faults, "messages that are none", faults::no_messages),
    check(Faults, "bytes that are no text", faults::no_text),
    check(Faults, "missing arguments", faults::missing_arguments),
    check(
        Faults,
        "PLAY of an unknown match: busy",
        faults::unknown_play,
    ),
    check(
        Faults,
        "STOP and ABORT of an unknown match",
        faults::unknown_end,
    ),
    check(
        Faults,
        "START twice, the match goes on",
        faults::start_twice,
    ),
    check(
        Faults,
        "START of another match, the first goes on",
        faults::another_start,
    ),
    check(Faults, "PLAY with too many moves", faults::too_many_moves),
    check(
        Faults,
        "PLAY with a move that is none",
        faults::unknown_move,
    ),
    check(Faults, "a role that the game lacks", faults::unknown_role),
    check(Faults, "rules with an error", faults::wrong_rules),
    check(Faults, "100,000 parentheses", faults::deep_nesting),
    check(Faults, "rules that explode", faults::explosion),
    check(Faults, "a message of 3 MB", faults::long_message),
    check(
        Connections,
        "a byte now and then, others are served",
        connections::slow_drip,
    ),
    check(
        Connections,
        "half-closed connections",
        connections::half_closed,
    ),
    check(
        Connections,
        "connections dropped within the request",
        connections::dropped_early,
    ),
    check(
        Connections,
        "connections dropped before the reply",
        connections::dropped_late,
    ),
    check(
        Connections,
        "a head that does not end",
        connections::endless_head,
    ),
    check(Connections, "200 idle connections", connections::idle),
    check(Games, "two players in turns", games::in_turns),
    check(
        Games,
        "two players at the same time",
        games::at_the_same_time,
    ),
    check(
        Games,
        "one player, every move within the play clock",
        games::alone,
    ),
    check(Games, "odd names", games::odd_names),
];
