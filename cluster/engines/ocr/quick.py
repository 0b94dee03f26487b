"""The recogniser in eight bits, for a first look at a line: as many letters, in less than half of the time.

It is made of the model in full precision when the reader starts (0.8 s), by `ranges.py`. Steps at which it is certain
that no letter ends, more than half of them, are not compared with the 18,710 letters.
"""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cluster.engines.ocr.alphabet import Only, Steps
from cluster.engines.ocr.ranges import RANGES

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Strips are widened to a multiple of this (pixels), for each new width costs memory and time to prepare.
STEP = 64
#: Blank alone has a weight (logit) above this: of 6,670 steps at which there is a letter it was 25.0 at most. A marked
#: letter a hundredth as likely is looked at all the same.
_QUIET, _ECHO = 28.0, 0.01
_HOW = {"INFERENCE_NUM_THREADS": 1, "ENABLE_CPU_PINNING": False, "INFERENCE_PRECISION_HINT": "f32"}


class Quick:
    """Tells what is heard at each step of a line; several threads may ask at once, each computing by itself."""

    def __init__(self, path: Path, only: Only, requests: int) -> None:
        from openvino import Core

        core = Core()
        how = _HOW | {"NUM_STREAMS": requests}
        body, head = _halves(core.read_model(path), only.marked)
        self._body, self._head = core.compile_model(body, "CPU", how), core.compile_model(head, "CPU", how)
        self._only = only
        self._mine = threading.local()

    def __call__(self, strip: "NDArray[Any]") -> Steps:
        """What is heard in `strip` (1 x 3 x height x width)."""
        import numpy

        if not hasattr(self._mine, "body"):
            self._mine.body, self._mine.head = (each.create_infer_request() for each in (self._body, self._head))
        missing = -strip.shape[3] % STEP
        self._mine.body.infer([numpy.pad(strip, ((0, 0), (0, 0), (0, 0), (0, missing)))])
        inner, few = (self._mine.body.get_output_tensor(number).data[0] for number in range(2))
        blank = few[:, :1]
        marked = (numpy.exp(few[:, 1:] - blank) * self._only.kept(self._only.marked)).max(axis=1)
        loud = ((blank[:, 0] < _QUIET) | (marked > _ECHO)).nonzero()[0]
        steps = Steps(numpy.zeros(len(inner), int), numpy.zeros(len(inner)), numpy.ones(len(inner)), marked)
        if len(loud):
            self._mine.head.infer([inner[loud]])
            for all_of, of_loud in zip(steps, self._only.steps(self._mine.head.get_output_tensor().data), strict=True):
                all_of[loud] = of_loud
        return steps


def _halves(model: Any, marked: "NDArray[Any]") -> tuple[Any, Any]:
    """The model up to its last layer, in eight bits, with blank's and the marked letters' weights; and that layer."""
    import numpy
    from openvino import Model, opset13

    *_, last = _upwards(model.outputs[0].get_node())
    inner, weights = last.input_value(0), last.input_value(1).get_node().data
    shift = next(iter(last.output(0).get_target_inputs())).get_node().input_value(1).get_node().data
    for layer in model.get_ordered_ops():
        if layer.get_friendly_name() in RANGES:
            in_eight_bits(layer, *RANGES[layer.get_friendly_name()])
    told = numpy.concatenate([[0], marked])
    few = opset13.add(opset13.matmul(inner, opset13.constant(weights[:, told]), False, False), shift[told])
    given = opset13.parameter([-1, len(weights)], numpy.float32)
    letters = opset13.add(opset13.matmul(given, opset13.constant(weights), False, False), shift)
    body = Model([inner, few.output(0)], model.get_parameters())
    return body, Model([opset13.softmax(letters, 1)], [given])


def _upwards(node: Any) -> Iterator[Any]:
    """The nodes from the end of the model up to the product that weighs letters."""
    while node.get_type_name() != "MatMul":
        node = node.input_value(0).get_node()
        yield node


def in_eight_bits(layer: Any, low: float, high: float) -> None:
    """Have a layer compute in 256 steps of its input, `low` to `high` with 0 among them, and in 255 of its weights."""
    step = (high - low) / 255
    low = round(low / step) * step
    layer.input(0).replace_source_output(_stepped(layer.input_value(0), low, low + 255 * step, 256))
    weights = layer.input_value(1).get_node().data
    axis = 0 if layer.get_type_name() == "Convolution" else 1
    most = _widest(weights, tuple(each for each in range(weights.ndim) if each != axis))
    layer.input(1).replace_source_output(_stepped(layer.input_value(1), -most, most, 255))


def _stepped(given: Any, low: Any, high: Any, levels: int) -> Any:
    import numpy
    from openvino import opset13

    ends = [opset13.constant(numpy.asarray(end, numpy.float32)) for end in (low, high)]
    return opset13.fake_quantize(given, *ends, *ends, levels).output(0)


def _widest(weights: "NDArray[Any]", axes: tuple[int, ...]) -> "NDArray[Any]":
    """Up to which weight the steps of each channel reach so that they err least in the square."""
    import numpy

    most = numpy.abs(weights).max(axis=axes, keepdims=True)
    tried = most * numpy.linspace(0.7, 1, 16).reshape(-1, *(1,) * weights.ndim)
    missed = [((numpy.clip(numpy.round(weights * 127 / end), -127, 127) * end / 127 - weights) ** 2) for end in tried]
    errors = numpy.stack([each.sum(axis=axes, keepdims=True) for each in missed])
    return numpy.take_along_axis(tried, errors.argmin(axis=0)[None], axis=0)[0]  # type: ignore[no-any-return]
