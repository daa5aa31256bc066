// A field that tells what stands in it, after a pause; and buttons that put an example there.
// data: { text, revision, label, lines, longest, pause, examples, examples_label }

export default function ({ data, parentElement, setStateValue }) {
  const frame = parentElement.querySelector(".text-field");
  if (!frame.field) build(frame, data);
  const field = frame.field;
  frame.tell = (text) => setStateValue("text", text);
  frame.pause = data.pause;
  frame.longest = data.longest;
  field.setAttribute("aria-label", data.label);
  frame.querySelector("label").textContent = data.label;
  if (frame.revision !== data.revision) {
    frame.revision = data.revision;
    frame.sent = data.text;
    field.value = data.text;
  }
  showExamples(frame, data);
}

function build(frame, data) {
  frame.innerHTML = `<label></label><div class="examples" role="group"></div>`;
  const field = document.createElement(data.lines > 1 ? "textarea" : "input");
  if (data.lines > 1) field.rows = data.lines;
  field.spellcheck = false;
  field.autocomplete = "off";
  field.setAttribute("autocapitalize", "off");
  frame.querySelector("label").after(field);
  frame.field = field;

  let waiting = 0;
  let composing = false;
  const send = () => {
    clearTimeout(waiting);
    // One character more than is taken says that it is too long; a longer message would only hold the line.
    const text = field.value.length > 2 * frame.longest ? field.value.slice(0, 2 * frame.longest + 2) : field.value;
    if (composing || text === frame.sent) return;
    frame.sent = text;
    frame.tell(text);
  };
  frame.send = send;
  const soon = () => {
    clearTimeout(waiting);
    waiting = setTimeout(send, frame.pause);
  };
  field.addEventListener("compositionstart", () => (composing = true));
  field.addEventListener("compositionend", () => {
    composing = false;
    soon();
  });
  field.addEventListener("input", (event) => {
    if (!event.isComposing) soon();
  });
  field.addEventListener("blur", () => {
    composing = false;
    send();
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.isComposing && (data.lines === 1 || event.ctrlKey || event.metaKey)) send();
  });
}

function showExamples(frame, data) {
  const row = frame.querySelector(".examples");
  const written = JSON.stringify(data.examples);
  row.setAttribute("aria-label", data.examples_label);
  row.hidden = !data.examples.length;
  if (row.written === written) return;
  row.written = written;
  row.replaceChildren(
    ...data.examples.map(([label, text]) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = label;
      button.onclick = () => {
        frame.field.value = text;
        frame.send();
      };
      return button;
    }),
  );
}
