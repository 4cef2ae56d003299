//! Python agents behind the GGP protocol.

use crate::errors;
use crate::game::PyGame;
use crate::player::parse_agent;
use crate::state::PyState;
use gdl_agent::shared_engine::SharedEngine;
use gdl_network::serve::{
    Events, GuestAgent, GuestFailure, GuestPlayer, GuestTurn, MatchObserver, MatchRegistry,
    PlayerEvent, PlayerSettings, ServedAgent, ServedState, Server,
};
use gdl_runtime::engine::Move;
use gdl_runtime::stop_flag::StopFlag;
use gdlc::source::Source;
use parking_lot::Mutex;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use std::collections::VecDeque;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The greatest number of events kept until they are asked for; the oldest are dropped.
const MOST_EVENTS: usize = 10_000;

/// How long closing a server may take to connect to it, which wakes it.
const WAKE_TIMEOUT: Duration = Duration::from_secs(1);

/// A player on the network, which serves until it is closed.
#[pyclass(frozen, module = "gdl._gdl", name = "Server")]
pub(crate) struct PyServer {
    address: SocketAddr,
    stop: StopFlag,
    thread: Mutex<Option<JoinHandle<()>>>,
    events: Arc<EventLog>,
}

#[pymethods]
impl PyServer {
    /// Serves an agent: that of a text, or a `gdl.serving` guest.
    #[new]
    #[pyo3(signature = (agent, guest, name, host, port, matches, memory, records))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        agent: &str,
        guest: Option<Py<PyAny>>,
        name: String,
        host: &str,
        port: u16,
        matches: usize,
        memory: usize,
        records: Option<PathBuf>,
    ) -> PyResult<Self> {
        let host: IpAddr = (host.parse()).map_err(|error| errors::error(py, error))?;
        let agent: ServedAgent = match guest {
            Some(object) => ServedAgent::Guest(Arc::new(PythonAgent {
                name: agent.to_owned(),
                object,
            })),
            None => parse_agent(py, agent)?.into(),
        };
        let events = Arc::<EventLog>::default();
        let registry = MatchRegistry::new(PlayerSettings {
            name,
            agent,
            matches,
            memory,
            precompiled: None,
            // Games are played on the engine net, as everywhere in this package.
            native: false,
            folder: records,
            events: Events {
                json: false,
                observer: Some(Arc::clone(&events) as Arc<dyn MatchObserver>),
            },
        });
        let system_error = |error: &dyn std::error::Error| {
            let cause = error.source().map(|cause| format!(": {cause}"));
            PyOSError::new_err(format!("{error}{}", cause.unwrap_or_default()))
        };
        let server = Server::bind(host, port, registry).map_err(|error| system_error(&error))?;
        let address = server.address().map_err(|error| system_error(&error))?;
        let stop = StopFlag::default();
        let raised = stop.clone();
        let thread = std::thread::Builder::new().name("gdl-server".to_owned());
        let thread = thread.spawn(move || server.run(&raised))?;
        Ok(Self {
            address,
            stop,
            thread: Mutex::new(Some(thread)),
            events,
        })
    }

    /// The address and the port on which it listens.
    #[getter]
    fn address(&self) -> (String, u16) {
        (self.address.ip().to_string(), self.address.port())
    }

    /// Ends all matches, and waits until nothing is served any more.
    fn close(&self, py: Python<'_>) {
        py.detach(|| {
            let Some(thread) = self.thread.lock().take() else {
                return;
            };
            self.stop.raise();
            // The server checks the flag when a connection arrives.
            let _ = TcpStream::connect_timeout(&self.reachable(), WAKE_TIMEOUT);
            let _ = thread.join();
        });
    }

    /// Takes the events since the last call: match and event, as JSON.
    fn events(&self) -> Vec<(String, String)> {
        self.events.0.lock().drain(..).collect()
    }
}

impl PyServer {
    /// The address at which this machine reaches the server.
    fn reachable(&self) -> SocketAddr {
        let ip = match self.address.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
            ip => ip,
        };
        (ip, self.address.port()).into()
    }
}

/// The events that were not fetched yet: the match, and the event as JSON.
#[derive(Debug, Default)]
struct EventLog(Mutex<VecDeque<(String, String)>>);

impl MatchObserver for EventLog {
    fn reached(&self, _id: &str, _reached: &ServedState<'_>) {}

    fn happened(&self, id: &str, event: &PlayerEvent) {
        if let Ok(text) = serde_json::to_string(event) {
            let mut events = self.0.lock();
            events.push_back((id.to_owned(), text));
            if events.len() > MOST_EVENTS {
                events.pop_front();
            }
        }
    }
}

/// An agent that is a Python object with `prepare` and `choose`, each of which takes a state,
/// a role and the seconds that are left.
#[derive(Debug)]
struct PythonAgent {
    name: String,
    object: Py<PyAny>,
}

impl GuestAgent for PythonAgent {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn player(
        &self,
        rules: &str,
        engine: SharedEngine,
    ) -> Result<Box<dyn GuestPlayer>, GuestFailure> {
        attached(|py| {
            let source = Source::new("match", rules);
            let game = PyGame::new(py, "match", source, Box::new(engine))?;
            Ok(Box::new(PythonPlayer {
                game: Py::new(py, game)?,
                object: self.object.clone_ref(py),
            }) as Box<dyn GuestPlayer>)
        })
    }
}

/// A Python agent in a match.
struct PythonPlayer {
    game: Py<PyGame>,
    object: Py<PyAny>,
}

impl PythonPlayer {
    fn call<'py>(
        &self,
        py: Python<'py>,
        method: &str,
        turn: &GuestTurn<'_>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let state = PyState::new(self.game.clone_ref(py), turn.state.clone());
        // What is left now: the interpreter lock may have come late.
        let left = turn.until.saturating_duration_since(Instant::now());
        let arguments = (state, turn.role, left.as_secs_f64());
        self.object.bind(py).call_method1(method, arguments)
    }
}

impl GuestPlayer for PythonPlayer {
    fn prepare(&mut self, turn: &GuestTurn<'_>) -> Result<(), GuestFailure> {
        attached(|py| self.call(py, "prepare", turn).map(drop))
    }

    fn choose(&mut self, turn: &GuestTurn<'_>) -> Result<Move, GuestFailure> {
        attached(|py| self.call(py, "choose", turn)?.extract().map(Move))
    }
}

/// Runs work that needs the interpreter, unless that is about to end.
fn attached<T>(work: impl FnOnce(Python<'_>) -> PyResult<T>) -> Result<T, GuestFailure> {
    let done = Python::try_attach(|py| work(py).map_err(|error| GuestFailure(error.to_string())));
    done.unwrap_or_else(|| Err(GuestFailure("the interpreter is ending".to_owned())))
}
