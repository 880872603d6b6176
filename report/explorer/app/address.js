// The address keeps the state: #view?open=...&sort=...&f.column=...; what is there is what is shown.

const address = {
  read() {
    const [view, query] = window.location.hash.replace(/^#/, "").split("?");
    return { view: view || "claims", keys: new URLSearchParams(query || "") };
  },
  // The address of a view with keys; empty ones are left out.
  of(view, keys) {
    const query = new URLSearchParams(Object.entries(keys).filter(([, value]) => value !== "" && value != null));
    const text = query.toString();
    return `#${view}${text ? `?${text}` : ""}`;
  },
  // The present address with some keys changed.
  with(changes) {
    const { view, keys } = address.read();
    return address.of(view, { ...Object.fromEntries(keys), ...changes });
  },
  go(changes) {
    window.location.hash = address.with(changes);
  },
  // Changed in place: filters and searches are no steps to go back by.
  replace(changes) {
    window.history.replaceState(null, "", address.with(changes));
    address.replaced();
  },
  replaced() {},
};
