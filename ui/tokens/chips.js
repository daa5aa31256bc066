// Shows chips of tokens, and what the one pointed at, tapped or focused stands for.
// data: { html, names, words }

export default function ({ data, parentElement }) {
  const frame = parentElement.querySelector(".tokens");
  const shown = frame.querySelector(".shown");
  const tip = frame.querySelector(".tip");
  const chipAt = (event) => event.target.closest?.(".chips b");

  if (shown.source !== data.html) {
    shown.source = data.html;
    shown.innerHTML = data.html;
    tip.hidden = true;
    for (const list of shown.querySelectorAll(".chips")) {
      list.setAttribute("role", "listbox");
      for (const group of list.querySelectorAll(".group")) group.setAttribute("role", "presentation");
      const all = list.querySelectorAll("b");
      all.forEach((chip, at) => {
        chip.setAttribute("role", "option");
        chip.tabIndex = at ? -1 : 0;
      });
    }
  }

  const tell = (chip) => {
    for (const other of shown.querySelectorAll(".here, .same")) other.classList.remove("here", "same");
    tip.hidden = !chip;
    if (!chip) return;
    chip.classList.add("here");
    const from = +chip.dataset.s;
    const to = +chip.dataset.e;
    const own = chip.closest(".chips");
    if (to > from)
      for (const list of shown.querySelectorAll(".chips"))
        if (list !== own)
          for (const other of list.querySelectorAll("b"))
            if (+other.dataset.s < to && +other.dataset.e > from) other.classList.add("same");
    tip.innerHTML = described(chip.dataset, chip.classList.contains("special"), data);
    const box = frame.getBoundingClientRect();
    const at = chip.getBoundingClientRect();
    tip.style.left = `${Math.max(0, Math.min(at.left - box.left, box.width - tip.offsetWidth))}px`;
    tip.style.top = `${at.bottom - box.top + 6}px`;
  };

  const focused = () => shown.getRootNode().activeElement?.closest?.(".chips b");
  frame.onpointermove = (event) => {
    if (event.pointerType === "mouse") {
      const chip = chipAt(event);
      if (chip) tell(chip);
    }
  };
  frame.onpointerleave = () => tell(focused());
  frame.onclick = (event) => {
    const chip = chipAt(event);
    if (chip) go(chip);
    else tell(null);
  };
  frame.onfocusin = null;
  if (!frame.listens) {
    frame.listens = true;
    frame.addEventListener("focusin", (event) => chipAt(event) && frame.tell(chipAt(event)));
    frame.addEventListener("focusout", (event) => chipAt(event) && frame.tell(null));
  }
  frame.tell = tell;

  const go = (chip) => {
    const list = chip.closest(".chips");
    list.querySelector('b[tabindex="0"]')?.setAttribute("tabindex", -1);
    chip.tabIndex = 0;
    chip.focus({ preventScroll: false });
    tell(chip);
  };

  frame.onkeydown = (event) => {
    const here = chipAt(event);
    if (!here) return;
    const all = [...here.closest(".chips").querySelectorAll("b")];
    const at = all.indexOf(here);
    const next = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (event.key === "Escape") tell(null);
    else if (next === undefined) return;
    else go(all[Math.max(0, Math.min(next, all.length - 1))]);
    event.preventDefault();
  };
}

function described({ i, h, p }, special, { names, words }) {
  const bytes = h.match(/../g) ?? [];
  const lines = [`<div><span>${words.id}</span> <strong>${i}</strong></div>`];
  const written = bytes.length ? `<code>${bytes.slice(0, 48).join(" ").toUpperCase()}${bytes.length > 48 ? " …" : ""}</code>` : words.no_bytes;
  lines.push(`<div><span>${words.bytes}</span> ${written}</div>`);
  if (special) lines.push(`<div>${words.special}</div>`);
  else for (const line of covered(bytes, p, names, words)) lines.push(`<div class="character">${line}</div>`);
  return lines.join("");
}

function covered(bytes, parts, names, words) {
  const list = parts
    ? parts.split(" ")
    : [...new TextDecoder("utf-8", { ignoreBOM: true }).decode(new Uint8Array(bytes.map((byte) => parseInt(byte, 16))))].map((c) => c.codePointAt(0).toString(16).toUpperCase());
  const lines = list.slice(0, 12).map((each) => {
    const [number, share] = each.split(":");
    const point = parseInt(number, 16);
    const glyph = point > 32 && point !== 0xfffd && names[number] !== "control" ? String.fromCodePoint(point) : "";
    const of = share ? ` <em>${said(share, words)}</em>` : "";
    return `<bdi>${escaped(glyph)}</bdi> <code>U+${number.padStart(4, "0")}</code> <small>${names[number] ?? ""}</small>${of}`;
  });
  return list.length > 12 ? [...lines, "…"] : lines;
}

function said(share, words) {
  const [, first, last, all] = share.match(/(\d+)-(\d+)\/(\d+)/);
  return words.part.replace("{bytes}", first === last ? first : `${first}–${last}`).replace("{all}", all);
}

function escaped(text) {
  const holder = document.createElement("i");
  holder.textContent = text;
  return holder.innerHTML;
}
