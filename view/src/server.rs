//! The server of pages.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::library::GameLibrary;
use crate::limits::Limits;
use crate::live::LiveFeed;
use crate::session::Shared;
use crate::site::Site;
use crate::{assets, guard, socket};

/// A server that listens, and serves pages once it runs.
pub struct ViewServer {
    listener: std::net::TcpListener,
    address: SocketAddr,
    site: Site,
    limits: Limits,
}

/// What the handlers of requests know.
#[derive(Clone)]
struct ServerState {
    site: Site,
    /// One permit for each page that may still be opened.
    pages: Arc<Semaphore>,
    /// The maximum size of a message from a page, in bytes.
    message: usize,
}

impl ViewServer {
    /// Listens at an address, to let people play the games of a library; port 0 is any free
    /// port.
    ///
    /// # Errors
    /// If the address cannot be used.
    pub fn bind(address: SocketAddr, library: GameLibrary, limits: Limits) -> io::Result<Self> {
        let library = Arc::new(library);
        Self::of_site(address, Site::Library(Shared { library, limits }), limits)
    }

    /// Listens at an address, to show what is being played.
    ///
    /// # Errors
    /// If the address cannot be used.
    pub fn bind_live(address: SocketAddr, feed: LiveFeed, limits: Limits) -> io::Result<Self> {
        Self::of_site(address, Site::Live(feed), limits)
    }

    fn of_site(address: SocketAddr, site: Site, limits: Limits) -> io::Result<Self> {
        let listener = std::net::TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        Ok(Self {
            address: listener.local_addr()?,
            listener,
            site,
            limits,
        })
    }

    /// The address that it listens at.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves pages until the process ends.
    ///
    /// # Errors
    /// If the system provides no threads, or takes the listener away.
    pub fn run(self) -> io::Result<()> {
        // Two threads pass messages on; sessions have threads of their own.
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = runtime.worker_threads(2).enable_all().build()?;
        runtime.block_on(async move {
            let listener = TcpListener::from_std(self.listener)?;
            axum::serve(listener, router(self.site, self.limits, self.address)).await
        })
    }
}

fn router(site: Site, limits: Limits, address: SocketAddr) -> Router {
    let index = match site {
        Site::Library(_) => "index.html",
        Site::Live(_) => "live.html",
    };
    let state = ServerState {
        pages: Arc::new(Semaphore::new(limits.pages)),
        site,
        message: limits.message,
    };
    let own = guard::OwnNames::new(address);
    Router::new()
        .route("/", get(move || assets::page(index)))
        .route("/session", get(session))
        .route("/boards.css", get(assets::board_style))
        .route("/{name}", get(assets::asset))
        .with_state(state)
        .layer(axum::middleware::from_fn_with_state(own, guard::guard))
}

/// Opens the websocket of a page, unless there are too many.
async fn session(State(state): State<ServerState>, upgrade: WebSocketUpgrade) -> Response {
    let Ok(permit) = state.pages.try_acquire_owned() else {
        let why = "too many pages are open\n";
        return (StatusCode::SERVICE_UNAVAILABLE, why).into_response();
    };
    upgrade
        .max_message_size(state.message)
        .max_frame_size(state.message)
        .on_upgrade(move |socket| socket::serve(socket, state.site, permit))
}
