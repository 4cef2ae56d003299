//! Draws what has changed, and hands it to pages.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::game::{LiveMatch, LiveState};
use super::painting::Painting;
use super::shared_feed::SharedFeed;
use crate::messages::{LiveBoardEvent, PageEvent};

/// The shortest time between two paintings.
const PAUSE: Duration = Duration::from_millis(100);

/// The painter rests this many times as long as it has worked, but no longer than
/// [`LONGEST_REST`]: paintings of up to 20 ms take at most 2 % of a core.
const REST: u32 = 50;

/// The longest rest after a painting.
const LONGEST_REST: Duration = Duration::from_secs(1);

/// Paints a feed.
pub(super) struct Painter {
    feed: Arc<SharedFeed>,
    painting: Painting,
}

impl Painter {
    pub(super) fn new(feed: Arc<SharedFeed>) -> Self {
        Self {
            feed,
            painting: Painting::default(),
        }
    }

    /// Paints until the feed has ended.
    pub(super) fn run(mut self) {
        while !self.painting.ended {
            let begun = self.paint();
            self.feed.publish(self.painting.clone());
            let rest = begun.elapsed() * REST;
            self.feed.rest(rest.clamp(PAUSE, LONGEST_REST));
        }
    }

    /// Waits for something to paint, and paints it. Returns when that began.
    fn paint(&mut self) -> Instant {
        let feed = Arc::clone(&self.feed);
        let mut latest = feed.wait();
        let begun = Instant::now();
        latest.is_new = false;
        let matches = latest.places.take_changed();
        let event = latest.event.clone();
        let is_new = std::mem::take(&mut latest.has_new_standings);
        let standings = latest.standings.clone().filter(|_| is_new);
        drop(latest);
        self.painting.number += 1;
        self.painting.ended = event.ended;
        self.put(0, PageEvent::Live(event));
        if let Some(standings) = standings {
            self.put(1, PageEvent::Standings(standings));
        }
        for (place, shown) in matches {
            self.put(
                2 + place,
                PageEvent::LiveBoard(Box::new(draw(place, &shown))),
            );
        }
        begun
    }

    /// Replaces an event, unless it is the same.
    fn put(&mut self, slot: usize, event: PageEvent) {
        let events = &mut self.painting.events;
        let is_known = events.get(&slot).is_some_and(|(_, known)| **known == event);
        if !is_known {
            events.insert(slot, (self.painting.number, Arc::new(event)));
        }
    }
}

fn draw(place: usize, shown: &LiveMatch) -> LiveBoardEvent {
    let pictures = shown.game.pictures();
    let facts = (shown.state.as_ref()).map_or_else(Vec::new, LiveState::facts);
    let before = shown.before.as_ref().map(LiveState::facts);
    LiveBoardEvent {
        place,
        title: shown.title.clone(),
        players: shown.players.clone(),
        rounds: shown.rounds,
        picture: pictures.draw(&facts, before.as_deref(), &shown.led_by),
        led_by: shown
            .led_by
            .iter()
            .map(|mv| pictures.move_text(mv.clone()))
            .collect(),
        goals: shown.goals.clone(),
        ending: shown.ending.clone(),
        note: shown.note.clone(),
    }
}
