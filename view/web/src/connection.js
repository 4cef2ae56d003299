// The websocket to the session: sends requests, and hands events to whoever asked for their
// kind.

// A server ends the connection of a page that sends more bytes at once (see limits.rs).
const MOST_BYTES = 4 << 20;

export class Connection {
  constructor(onStatus, farewell) {
    this.handlers = new Map();
    this.onStatus = onStatus;
    this.farewell = farewell;
    this.waiting = [];
    this.open();
  }

  open() {
    const address = new URL("/session", window.location.href);
    address.protocol = address.protocol.replace("http", "ws");
    this.socket = new WebSocket(address);
    this.socket.addEventListener("open", () => {
      this.onStatus("");
      for (const request of this.waiting.splice(0)) this.send(request);
    });
    this.socket.addEventListener("message", (message) => {
      this.handle(JSON.parse(message.data));
    });
    this.socket.addEventListener("close", () => {
      this.onStatus(this.farewell);
    });
  }

  on(kind, handler) {
    const known = this.handlers.get(kind) ?? [];
    this.handlers.set(kind, [...known, handler]);
  }

  handle(event) {
    for (const handler of this.handlers.get(event.is) ?? []) handler(event);
  }

  // Sends a request, or has it fail at once if it is too large; returns whether it was sent.
  send(request) {
    const text = JSON.stringify(request);
    if (new Blob([text]).size > MOST_BYTES) {
      this.handle({ is: "failed", message: `more than ${MOST_BYTES >> 20} MiB cannot be sent to the server` });
      return false;
    }
    if (this.socket.readyState === WebSocket.OPEN) {
      this.socket.send(text);
    } else if (this.socket.readyState === WebSocket.CONNECTING) {
      this.waiting.push(request);
    }
    return true;
  }
}
