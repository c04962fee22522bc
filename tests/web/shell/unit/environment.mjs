// Environment of a connection under test: sockets whose other end the test holds, and a clock that it moves by hand.

export class Environment {
  constructor() {
    this.sockets = [];
    this.timers = new Map();
    this.time = 0;
    this.next = 1;
    this.random = () => 0;
    this.open = (address, protocol) => {
      const socket = new Socket(address, protocol);
      this.sockets.push(socket);
      return socket;
    };
    this.later = (then, ms) => {
      this.timers.set(this.next, { at: this.time + ms, then });
      return this.next++;
    };
    this.never = (timer) => this.timers.delete(timer);
  }

  get socket() {
    return this.sockets.at(-1);
  }

  /** Lets time pass, and runs the timers that are due, in order. */
  pass(ms) {
    const end = this.time + ms;
    for (;;) {
      const due = [...this.timers].filter(([, { at }]) => at <= end).sort((a, b) => a[1].at - b[1].at)[0];
      if (!due) break;
      this.timers.delete(due[0]);
      this.time = due[1].at;
      due[1].then();
    }
    this.time = end;
  }
}

class Socket {
  constructor(address, protocol) {
    Object.assign(this, { address, protocol, readyState: 0, sent: [], closed: false });
  }

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  close() {
    this.closed = true;
    this.readyState = 3;
  }

  /** The server's side: the connection is open. */
  opens() {
    this.readyState = 1;
    this.onopen();
  }

  says(...frames) {
    for (const frame of frames) this.onmessage({ data: typeof frame === "string" ? frame : JSON.stringify(frame) });
  }

  breaks() {
    this.readyState = 3;
    this.onclose();
  }
}
