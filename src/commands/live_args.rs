//! The options with which commands show in the browser what they are playing.

use anyhow::Context as _;
use gdl_view::live::LiveFeed;
use gdl_view::{Limits, ViewServer};
use std::net::{Ipv4Addr, SocketAddr};

/// Whether what is played is shown in the browser, and how.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "In the browser")]
pub struct LiveArgs {
    /// Serve a page on the loopback address that shows what is being played, and open it
    #[arg(long)]
    view: bool,
    /// Port to serve the page on; any free one if 0
    #[arg(long, value_name = "PORT", default_value_t = 0, requires = "view")]
    view_port: u16,
    /// Print the address instead of opening a browser
    #[arg(long, requires = "view")]
    no_open: bool,
}

/// A page that is being served.
pub(super) struct LivePage {
    /// What the page shows.
    pub(super) feed: LiveFeed,
    address: String,
    no_open: bool,
}

impl LiveArgs {
    /// Whether there is to be a page.
    pub(super) fn is_wanted(&self) -> bool {
        self.view
    }

    /// With `--view`, serves the page until the process ends, and opens it; `title` says what is
    /// played.
    ///
    /// # Errors
    /// As [`serve`](Self::serve).
    pub(super) fn start(&self, title: &str) -> anyhow::Result<Option<LiveFeed>> {
        let page = self.serve(title)?;
        page.iter().for_each(LivePage::open);
        Ok(page.map(|page| page.feed))
    }

    /// With `--view`, serves the page until the process ends, but does not open it yet.
    ///
    /// # Errors
    /// If the address cannot be used, or the system provides no thread.
    pub(super) fn serve(&self, title: &str) -> anyhow::Result<Option<LivePage>> {
        if !self.view {
            return Ok(None);
        }
        let feed = LiveFeed::start(title).context("cannot show what is played")?;
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, self.view_port));
        let server = ViewServer::bind_live(address, feed.clone(), Limits::default())
            .with_context(|| format!("cannot listen at {address}"))?;
        let address = format!("http://{}/", server.address());
        let serve = || {
            if let Err(error) = server.run() {
                tracing::warn!("the page is no longer served: {error}");
            }
        };
        let thread = std::thread::Builder::new().name("view".to_owned());
        thread.spawn(serve).context("cannot serve the page")?;
        Ok(Some(LivePage {
            feed,
            address,
            no_open: self.no_open,
        }))
    }
}

impl LivePage {
    /// Tells the address of the page and, unless that is not wanted, opens it. Standard output is
    /// for results, so this goes to standard error.
    pub(super) fn open(&self) {
        eprintln!("live at {}", self.address);
        if !self.no_open {
            open_page(&self.address);
        }
    }
}

/// Opens a page in the user's browser, or says what to open.
pub(super) fn open_page(page: &str) {
    if let Err(error) = open::that_detached(page) {
        eprintln!("open {page} in a browser: {error}");
    }
}
