"""Visitors of the app without a browser: each speaks with the server as Streamlit's own page does, and draws nothing.

A page and its server talk over one websocket (`/_stcore/stream`): the page sends a `BackMsg` (address, page, the state of its
widgets), the server answers with a row of `ForwardMsg` that ends in `script_finished`. Only loopback, bounded in number and time.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

MOST_VISITORS = 300
RUN_SECONDS = 120
VALUES = {
    "slider": "double_array_value",
    "number_input": "double_value",
    "text_input": "string_value",
    "text_area": "string_value",
}
"""Kinds of widgets a visitor can change → the field of the message that holds what it is changed to."""


@dataclass
class Visitor:
    """One visitor of a page.

    port    of the server on loopback
    page    as the address names it, "" for the start page
    query   of the address
    label   of the widget to change, "" for none
    """

    port: int
    page: str = ""
    query: str = "lang=en"
    label: str = ""
    received_bytes: int = 0
    exception: str = ""
    _widget: tuple[str, str] | None = None
    _page_hash: str = ""
    _socket: websockets.ClientConnection = field(init=False, repr=False)

    async def __aenter__(self) -> Self:
        origin = f"http://127.0.0.1:{self.port}"
        self._socket = await websockets.connect(
            f"ws://127.0.0.1:{self.port}/_stcore/stream",
            subprotocols=[websockets.Subprotocol("streamlit")],
            max_size=None,
            compression=None,
            open_timeout=RUN_SECONDS,
            ping_interval=None,
            additional_headers={"Origin": origin},
        )
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self._socket.close()

    async def open(self) -> float:
        """Ask for the page; the seconds until it is whole."""
        message = BackMsg()
        message.rerun_script.page_name = self.page
        return await self._run(message)

    async def change(self, value: float | str) -> float:
        """Change the widget of that label; the seconds until the page is whole. Raises LookupError where there is none."""
        if self._widget is None:
            raise LookupError(f"{self.page} has no field {self.label!r}")
        message, (identity, kind) = BackMsg(), self._widget
        message.rerun_script.page_script_hash = self._page_hash
        state = message.rerun_script.widget_states.widgets.add(id=identity)
        if kind == "slider":
            state.double_array_value.data.append(float(value))
        else:
            setattr(state, VALUES[kind], value)
        return await self._run(message)

    async def _run(self, message: BackMsg) -> float:
        message.rerun_script.query_string = self.query
        start = time.perf_counter()
        await self._socket.send(message.SerializeToString())
        while True:
            raw = await asyncio.wait_for(self._socket.recv(decode=False), RUN_SECONDS)
            self.received_bytes += len(raw)
            answer = ForwardMsg.FromString(raw)
            if self._take(answer):
                return time.perf_counter() - start

    def _take(self, answer: ForwardMsg) -> bool:
        """Take one message; whether it is the last of the run. A run that another one replaced is not the last."""
        kind = answer.WhichOneof("type")
        if kind == "navigation":
            self._page_hash = answer.navigation.page_script_hash
        elif kind == "delta" and answer.delta.WhichOneof("type") == "new_element":
            element = answer.delta.new_element
            of = element.WhichOneof("type")
            if of == "exception":
                self.exception = element.exception.message
            elif of in VALUES and getattr(element, of).label == self.label:
                self._widget = (getattr(element, of).id, of)
        finished = answer.script_finished
        return kind == "script_finished" and finished in (
            ForwardMsg.FINISHED_SUCCESSFULLY,
            ForwardMsg.FINISHED_WITH_COMPILE_ERROR,
        )


async def come_together(port: int, page: str, visitors: int, query: str = "lang=en") -> list[float]:
    """So many visitors open a page at the same moment and leave; the seconds each waited, the shortest first."""
    if not 1 <= visitors <= MOST_VISITORS:
        raise ValueError(f"{visitors} visitors: 1 to {MOST_VISITORS} come at once")

    async def visit() -> float:
        async with Visitor(port, page, query) as visitor:
            seconds = await visitor.open()
            if visitor.exception:
                raise RuntimeError(f"{page}: {visitor.exception}")
            return seconds

    return sorted(await asyncio.gather(*(visit() for _ in range(visitors))))
