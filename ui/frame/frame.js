/* The frame's script, run once for each language and section: what Streamlit does not do by itself. */
function prepareFrame({ language, icon }) {
  // Streamlit leaves lang="en", whatever the page says.
  document.documentElement.lang = language;
  document.querySelector("link[rel~=icon]").href = icon;
  if (window.oneEntryPerPage) return;
  window.oneEntryPerPage = true;

  // Streamlit adds an entry to the browser's history for every change of the address, so that going back would step through
  // all values of a number field. Within one page the entry is replaced instead. And on a change of page it may write the new
  // page's query into the entry of the old one, just before it adds the new entry: then the old one is put back.
  const push = history.pushState.bind(history);
  let replaced = null;
  history.pushState = (state, unused, url) => {
    const target = new URL(url, location.href);
    if (target.pathname === location.pathname) {
      const before = location.href;
      replaced = before;
      setTimeout(() => { if (replaced === before) replaced = null; }, 1000);
      history.replaceState(state, unused, url);
      return;
    }
    if (replaced !== null && target.search === location.search) {
      history.replaceState(history.state, unused, replaced);
    }
    replaced = null;
    push(state, unused, url);
  };

  // A paste of tens of megabytes would break the connection (server.maxWidgetStateSize): of such a paste five are kept,
  // enough for the server to say that it is too much.
  document.addEventListener("paste", (event) => {
    const field = event.target, pasted = event.clipboardData?.getData("text") ?? "";
    if (field.tagName !== "TEXTAREA" || pasted.length <= 5000000) return;
    event.preventDefault();
    field.setRangeText(pasted.slice(0, 5000000), field.selectionStart, field.selectionEnd, "end");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }, true);
}
