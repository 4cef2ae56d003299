// The websocket to the session: sends requests, and hands events to whoever asked for their
// kind.

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
      const event = JSON.parse(message.data);
      for (const handler of this.handlers.get(event.is) ?? []) handler(event);
    });
    this.socket.addEventListener("close", () => {
      this.onStatus(this.farewell);
    });
  }

  on(kind, handler) {
    const known = this.handlers.get(kind) ?? [];
    this.handlers.set(kind, [...known, handler]);
  }

  send(request) {
    if (this.socket.readyState === WebSocket.OPEN) {
      this.socket.send(JSON.stringify(request));
    } else if (this.socket.readyState === WebSocket.CONNECTING) {
      this.waiting.push(request);
    }
  }
}
