//! What every request has to satisfy, and what every response tells the browser.
//!
//! A page of some other site can make a browser send requests to a loopback address, and by
//! DNS rebinding even under that site's own name. So requests are refused unless their
//! `Host`, and their `Origin` if they have one, name this server.

use std::net::{IpAddr, SocketAddr};

use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, ORIGIN, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

/// Scripts and styles come only from this server, nothing else is loaded, and no site may show
/// the page in a frame.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
                      img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'";

/// The names by which a server may be addressed.
#[derive(Debug, Clone)]
pub(crate) struct OwnNames(Vec<String>);

impl OwnNames {
    pub(crate) fn new(address: SocketAddr) -> Self {
        let port = address.port();
        let mut names = vec![address.to_string()];
        let ip = address.ip();
        if ip.is_loopback() || ip.is_unspecified() {
            names.extend(["localhost", "127.0.0.1", "[::1]"].map(|name| format!("{name}:{port}")));
        }
        if let IpAddr::V4(ip) = ip {
            names.push(format!("{ip}:{port}"));
        }
        Self(names)
    }

    fn contains(&self, name: &str) -> bool {
        self.0.iter().any(|own| own.eq_ignore_ascii_case(name))
    }

    /// Whether a request with these headers was made by somebody who knows this server by its
    /// own name, and not by a page of another site.
    fn admit(&self, headers: &HeaderMap) -> bool {
        let text = |name: HeaderName| headers.get(name).map(HeaderValue::to_str);
        let Some(Ok(host)) = text(HOST) else {
            return false;
        };
        let is_own_origin = match text(ORIGIN) {
            None => true,
            Some(Ok(origin)) => origin
                .strip_prefix("http://")
                .is_some_and(|o| self.contains(o)),
            Some(Err(_)) => false,
        };
        self.contains(host) && is_own_origin
    }
}

/// Refuses foreign requests, and adds headers to the responses to all others.
pub(crate) async fn guard(State(own): State<OwnNames>, request: Request, next: Next) -> Response {
    if !own.admit(request.headers()) {
        let why = "this server answers requests to its own address only\n";
        return (StatusCode::FORBIDDEN, why).into_response();
    }
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    let fixed = [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        (CACHE_CONTROL, "no-cache"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admits(host: Option<&str>, origin: Option<&str>) -> bool {
        let own = OwnNames::new(SocketAddr::from(([127, 0, 0, 1], 8080)));
        let mut headers = HeaderMap::new();
        for (name, value) in [(HOST, host), (ORIGIN, origin)] {
            if let Some(value) = value {
                headers.insert(name, HeaderValue::from_str(value).expect("plain text"));
            }
        }
        own.admit(&headers)
    }

    #[test]
    fn only_its_own_names_are_admitted() {
        assert!(admits(Some("127.0.0.1:8080"), None));
        assert!(admits(
            Some("localhost:8080"),
            Some("http://localhost:8080")
        ));
        for (host, origin) in [
            (None, None),
            (Some("127.0.0.1"), None),
            (Some("127.0.0.1:81"), None),
            (Some("evil.example:8080"), None),
            (Some("evil.example:8080"), Some("http://evil.example:8080")),
            (Some("localhost:8080"), Some("http://evil.example")),
            (Some("localhost:8080"), Some("https://localhost:8080")),
            (Some("localhost:8080"), Some("null")),
        ] {
            assert!(!admits(host, origin), "{host:?} {origin:?}");
        }
    }
}
