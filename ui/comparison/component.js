// Shows the comparison table and reports which of its buttons a person presses.
// data: { table, chosen }

export default function ({ data, parentElement, setTriggerValue }) {
  const frame = parentElement.querySelector(".comparison");
  if (frame.source !== data.table) {
    const left = frame.querySelector(".scroll")?.scrollLeft ?? 0;
    const focused = frame.getRootNode().activeElement?.dataset;
    frame.source = data.table;
    frame.innerHTML = data.table;
    frame.querySelector(".scroll").scrollLeft = left;
    if (focused?.do) frame.querySelector(`[data-do="${focused.do}"][data-on="${focused.on}"]`)?.focus({ preventScroll: true });
  }
  for (const cell of frame.querySelectorAll('[data-do="cell"]')) {
    cell.setAttribute("aria-pressed", cell.dataset.on === data.chosen);
  }
  frame.onclick = (event) => {
    const button = event.target.closest("button[data-do]");
    if (button) setTriggerValue("action", { do: button.dataset.do, on: button.dataset.on });
  };
}
