//! The websocket of a page, and what answers it: the thread of a session, or a feed of what is
//! being played.

use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};

use axum::extract::ws::{Message, WebSocket};
use gdl_runtime::stop_flag::StopFlag;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::live::LiveFeed;
use crate::messages::{PageEvent, PageRequest};
use crate::session::{EventSink, PageSession, Shared};
use crate::site::Site;

/// The number of requests that may wait for a session, and of events that may wait for a
/// page.
const WAITING: usize = 64;

/// Serves a page until it is gone; `_permit` counts it among the pages until then.
pub(crate) async fn serve(socket: WebSocket, site: Site, _permit: OwnedSemaphorePermit) {
    match site {
        Site::Library(shared) => play(socket, shared).await,
        Site::Live(feed) => look_on(socket, &feed).await,
    }
}

/// Serves a page that watches, until it is gone or nothing more follows.
async fn look_on(socket: WebSocket, feed: &LiveFeed) {
    let mut watcher = feed.watch();
    let (to_page, events) = channel(WAITING);
    let news = async {
        while let Some(news) = watcher.next().await {
            for event in news {
                if to_page.send(event).await.is_err() {
                    return;
                }
            }
        }
        // The page has received everything once its channel is empty.
        drop(to_page);
        std::future::pending::<()>().await;
    };
    let refuse = |_: &str| Some("this page only looks on".to_owned());
    tokio::select! {
        () = pass_on(socket, refuse, events) => {}
        () = news => {}
    }
}

/// Serves a page that plays, and so has a session.
async fn play(socket: WebSocket, shared: Shared) {
    let (requests, for_session) = sync_channel(WAITING);
    let (to_page, events) = channel(WAITING);
    let (stop, gone) = (StopFlag::default(), StopFlag::default());
    let sink = PageSink(to_page);
    let session = PageSession::new(shared, sink, for_session, [stop.clone(), gone.clone()]);
    let thread = std::thread::Builder::new().name("page".to_owned());
    if let Err(error) = thread.spawn(|| session.run()) {
        tracing::warn!("no thread for a page: {error}");
        return;
    }
    pass_on(socket, |text| forward(text, &requests, &stop), events).await;
    // Requests that are still waiting are not answered.
    drop(requests);
    // The session finds its channels closed once its search has stopped.
    gone.raise();
    stop.raise();
}

/// Passes events to the page until the page or their source is gone. `forward` takes the page's
/// requests; if it refuses one, it returns the reason.
async fn pass_on(
    mut socket: WebSocket,
    forward: impl Fn(&str) -> Option<String>,
    mut events: Receiver<PageEvent>,
) {
    loop {
        tokio::select! {
            message = socket.recv() => {
                let Some(Ok(message)) = message else { return };
                let refused = match message {
                    Message::Text(text) => forward(&text),
                    Message::Close(_) => return,
                    Message::Binary(_) | Message::Ping(_) | Message::Pong(_) => None,
                };
                if let Some(message) = refused
                    && send(&mut socket, &PageEvent::Failed { message }).await.is_err()
                {
                    return;
                }
            }
            event = events.recv() => {
                let Some(event) = event else { return };
                if send(&mut socket, &event).await.is_err() {
                    return;
                }
            }
        }
    }
}

/// Hands a request to the session; returns the reason if that is not possible.
fn forward(text: &str, requests: &SyncSender<PageRequest>, stop: &StopFlag) -> Option<String> {
    let request = match serde_json::from_str::<PageRequest>(text) {
        Ok(request) => request,
        Err(error) => return Some(format!("not a request: {error}")),
    };
    let sent = requests.try_send(request);
    // Raised only once the request is in the channel, so that the session finds it there.
    stop.raise();
    match sent {
        Err(TrySendError::Full(_)) => Some("too many requests at once".to_owned()),
        Ok(()) | Err(TrySendError::Disconnected(_)) => None,
    }
}

async fn send(socket: &mut WebSocket, event: &PageEvent) -> Result<(), axum::Error> {
    let text = serde_json::to_string(event).map_err(axum::Error::new)?;
    socket.send(Message::Text(text.into())).await
}

/// Events on their way to a page.
struct PageSink(Sender<PageEvent>);

impl EventSink for PageSink {
    fn send(&self, event: PageEvent) -> bool {
        match event {
            // Another one follows shortly, so a page that lags behind can do without this one.
            PageEvent::Thinking(_) | PageEvent::Analysis(_) => match self.0.try_send(event) {
                Ok(()) | Err(tokio::sync::mpsc::error::TrySendError::Full(_)) => true,
                Err(tokio::sync::mpsc::error::TrySendError::Closed(_)) => false,
            },
            event => self.0.blocking_send(event).is_ok(),
        }
    }
}
