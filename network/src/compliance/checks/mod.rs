//! The checks, with one file per group. This is the only place that lists them.

mod connections;
mod faults;
mod games;
mod messages;
mod spelling;

use super::{ComplianceCheck, Group};

/// Defines the list of all checks, in the order in which they run, from groups of
/// `name => function`.
macro_rules! checks {
    ($($group:ident { $($name:literal => $module:ident::$function:ident,)* })*) => {
        pub const ALL: &[ComplianceCheck] = &[$($(ComplianceCheck {
            group: Group::$group,
            name: $name,
            run: $module::$function,
        },)*)*];
    };
}

checks! {
    Messages {
        "INFO is answered within a second" => messages::info,
        "the reply's head is right, the connection closed" => messages::reply,
        "PREVIEW is answered" => messages::preview,
        "START, PLAY, STOP" => messages::start_play_stop,
        "ABORT frees the player for another match" => messages::abort,
        "INFO is answered while the player thinks" => messages::info_during_play,
    }
    Spelling {
        "no blanks" => spelling::no_blanks,
        "keywords in lower case" => spelling::lower_case,
        "everything in upper case" => spelling::upper_case,
        "line ends and tabs for blanks" => spelling::line_ends,
        "comments among the rules" => spelling::comments,
        "more arguments on START" => spelling::more_arguments,
        "() for NIL in the first round" => spelling::empty_round,
        "header names in any case" => spelling::header_case,
        "no header but Content-Length" => spelling::few_headers,
        "HTTP/1.1 that would keep the connection" => spelling::newer_http,
        "lines that end without carriage return" => spelling::bare_line_ends,
        "no Content-Length, end of stream" => spelling::no_length_closed,
        "no Content-Length, connection left open" => spelling::no_length_open,
        "Content-Length in characters" => spelling::length_in_characters,
        "a message in the address of a GET" => spelling::get,
        "OPTIONS is answered by an empty reply" => spelling::options,
    }
    Faults {
        "messages that are none" => faults::no_messages,
        "bytes that are not text" => faults::no_text,
        "missing arguments" => faults::missing_arguments,
        "PLAY of an unknown match: busy" => faults::unknown_play,
        "STOP and ABORT of an unknown match" => faults::unknown_end,
        "START twice, the match goes on" => faults::start_twice,
        "START of another match, the first goes on" => faults::another_start,
        "PLAY with too many moves" => faults::too_many_moves,
        "PLAY with a move that does not exist" => faults::unknown_move,
        "a role that the game lacks" => faults::unknown_role,
        "rules with an error" => faults::wrong_rules,
        "100,000 parentheses" => faults::deep_nesting,
        "rules that explode" => faults::explosion,
        "a message of 3 MB" => faults::long_message,
    }
    Connections {
        "a byte now and then, others are served" => connections::slow_drip,
        "half-closed connections" => connections::half_closed,
        "connections dropped within the request" => connections::dropped_early,
        "connections dropped before the reply" => connections::dropped_late,
        "a head that does not end" => connections::endless_head,
        "200 idle connections" => connections::idle,
    }
    Games {
        "two players in turns" => games::in_turns,
        "two players at the same time" => games::at_the_same_time,
        "one player, every move within the play clock" => games::alone,
        "odd names" => games::odd_names,
    }
}
