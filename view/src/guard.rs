//! What every request has to satisfy, and what every response tells the browser.
//!
//! A page of some other site can make a browser send requests to a loopback address, and by
//! DNS rebinding even under that site's own name. So requests are refused unless their
//! `Host`, and their `Origin` if they have one, name this server.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

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
pub(crate) struct OwnNames {
    hosts: Vec<String>,
    /// Whether any address as a host may be this machine's. Rebinding needs a name.
    at_any_address: bool,
    port: u16,
}

impl OwnNames {
    pub(crate) fn new(address: SocketAddr) -> Self {
        let ip = address.ip();
        let mut hosts = vec![match ip {
            IpAddr::V4(ip) => ip.to_string(),
            IpAddr::V6(ip) => format!("[{ip}]"),
        }];
        if ip.is_loopback() || ip.is_unspecified() {
            hosts.extend(["localhost", "127.0.0.1", "[::1]"].map(str::to_owned));
        }
        Self {
            hosts,
            at_any_address: ip.is_unspecified(),
            port: address.port(),
        }
    }

    fn contains(&self, name: &str) -> bool {
        let host = match name.strip_suffix(&format!(":{}", self.port)) {
            Some(host) => host,
            // Browsers leave out the port that is usual.
            None if self.port == 80 => name,
            None => return false,
        };
        let is_listed = self.hosts.iter().any(|own| own.eq_ignore_ascii_case(host));
        is_listed || self.at_any_address && is_address(host)
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

fn is_address(host: &str) -> bool {
    let in_brackets = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'));
    match in_brackets {
        Some(host) => host.parse::<Ipv6Addr>().is_ok(),
        None => host.parse::<Ipv4Addr>().is_ok(),
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

    const LOOPBACK: &str = "127.0.0.1:8080";

    fn admits(address: &str, host: Option<&str>, origin: Option<&str>) -> bool {
        let own = OwnNames::new(address.parse().expect("an address"));
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
        assert!(admits(LOOPBACK, Some(LOOPBACK), None));
        assert!(admits(
            LOOPBACK,
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
            assert!(!admits(LOOPBACK, host, origin), "{host:?} {origin:?}");
        }
    }

    #[test]
    fn a_server_at_any_address_admits_addresses_but_not_names() {
        for (address, host, is_own) in [
            ("0.0.0.0:8080", "192.168.1.5:8080", true),
            ("0.0.0.0:8080", "[fe80::1]:8080", true),
            ("[::]:8080", "192.168.1.5:8080", true),
            ("0.0.0.0:8080", "localhost:8080", true),
            ("0.0.0.0:8080", "evil.example:8080", false),
            ("0.0.0.0:8080", "192.168.1.5:81", false),
            ("127.0.0.1:8080", "192.168.1.5:8080", false),
            ("192.168.1.5:8080", "192.168.1.5:8080", true),
            ("192.168.1.5:8080", "192.168.1.6:8080", false),
        ] {
            assert_eq!(
                admits(address, Some(host), None),
                is_own,
                "{address} {host}"
            );
        }
    }

    #[test]
    fn the_usual_port_may_be_left_out() {
        for (address, host, is_own) in [
            ("127.0.0.1:80", "127.0.0.1", true),
            ("127.0.0.1:80", "localhost:80", true),
            ("[::1]:80", "[::1]", true),
            ("0.0.0.0:80", "192.168.1.5", true),
            ("127.0.0.1:80", "evil.example", false),
        ] {
            assert_eq!(
                admits(address, Some(host), None),
                is_own,
                "{address} {host}"
            );
        }
    }
}
