// Shows the drawing of a parts list, asks for the narrow one where there is little room, and lets a person choose a tensor.
// data: { picture, narrow, switch_width, chosen, file_name, save, label }

const TYPES = { svg: "image/svg+xml;charset=utf-8", png: "image/png" };
const PNG_SCALE = 3; // sharp on a projector and in print

export default function ({ data, parentElement, setStateValue, setTriggerValue }) {
  const frame = parentElement.querySelector(".diagram");
  const picture = frame.querySelector(".picture");
  const tip = frame.querySelector(".tip");

  const show = () => {
    const narrow = frame.clientWidth < data.switch_width;
    const fits = !frame.clientWidth || narrow === data.narrow;
    if (!fits) setStateValue("narrow", narrow);
    if (!fits && !picture.source) return; // better a moment of nothing than a picture too small to read
    if (picture.source !== data.picture) {
      picture.source = data.picture;
      picture.innerHTML = data.picture;
      picture.setAttribute("aria-label", data.label);
      frame.querySelector(".saves").hidden = false; // there is something to save
    }
    mark(data.chosen);
  };

  const tensors = () => [...picture.querySelectorAll(".tensor")];

  const mark = (name) => {
    let stop = null;
    for (const tensor of tensors()) {
      const chosen = tensor.dataset.tensor === name;
      tensor.setAttribute("aria-pressed", chosen);
      tensor.setAttribute("tabindex", -1);
      stop = chosen ? tensor : stop;
    }
    (stop ?? tensors()[0])?.setAttribute("tabindex", 0);
    frame.querySelector(".chosen").textContent = stop?.getAttribute("aria-label") ?? "";
  };

  const choose = (tensor) => {
    mark(tensor.dataset.tensor);
    setTriggerValue("tensor", tensor.dataset.tensor);
  };

  const tensorAt = (event) => event.target.closest?.(".tensor");

  picture.onclick = (event) => {
    const tensor = tensorAt(event);
    if (tensor) {
      tensor.focus({ preventScroll: true });
      choose(tensor);
    }
  };

  picture.onkeydown = (event) => {
    const here = tensorAt(event);
    if (!here) return;
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step) {
      const all = tensors();
      all[(all.indexOf(here) + step + all.length) % all.length].focus();
    } else if (event.key === "Enter" || event.key === " ") {
      choose(here);
    } else {
      return;
    }
    event.preventDefault();
  };

  picture.onpointermove = (event) => {
    const tensor = event.pointerType === "mouse" && tensorAt(event);
    tip.hidden = !tensor;
    if (!tensor) return;
    tip.textContent = tensor.getAttribute("aria-label");
    const box = frame.getBoundingClientRect();
    const left = Math.min(event.clientX - box.left + 14, box.width - tip.offsetWidth - 4);
    tip.style.left = `${Math.max(0, left)}px`;
    tip.style.top = `${event.clientY - box.top + 18}px`;
  };
  picture.onpointerleave = () => (tip.hidden = true);

  for (const button of frame.querySelectorAll("[data-save]")) {
    button.textContent = data.save[button.dataset.save];
    button.onclick = () => save(button.dataset.save, picture.querySelector("svg"), data.file_name);
  }

  const watcher = new ResizeObserver(show);
  watcher.observe(frame);
  show();
  return () => watcher.disconnect();
}

// The page recolours the drawing by style sheet; without it the attributes of the drawing itself hold, on white.
function standalone(svg) {
  const copy = svg.cloneNode(true);
  const { width, height } = copy.viewBox.baseVal;
  const paper = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [name, value] of Object.entries({ width, height, fill: "#ffffff" })) paper.setAttribute(name, value);
  copy.prepend(paper);
  for (const [name, value] of Object.entries({ width, height })) copy.setAttribute(name, value);
  for (const tensor of copy.querySelectorAll(".tensor")) {
    const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
    title.textContent = tensor.getAttribute("aria-label");
    tensor.prepend(title);
    for (const name of ["tabindex", "role", "aria-pressed"]) tensor.removeAttribute(name);
  }
  return { text: new XMLSerializer().serializeToString(copy), width, height };
}

async function save(format, svg, fileName) {
  const drawing = standalone(svg);
  let blob = new Blob([drawing.text], { type: TYPES.svg });
  if (format === "png") blob = await rasterised(blob, drawing);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${fileName}.${format}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

async function rasterised(blob, { width, height }) {
  const image = new Image();
  image.src = URL.createObjectURL(blob);
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * PNG_SCALE);
  canvas.height = Math.round(height * PNG_SCALE);
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  return new Promise((resolve) => canvas.toBlob(resolve, TYPES.png));
}
