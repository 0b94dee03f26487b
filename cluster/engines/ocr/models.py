"""The models that RapidOCR's package brings, on the runtime and in the precision that this processor is fastest in.

A processor that has bfloat16 need not be faster in it: with AMX a page took 0.6 of full precision's CPU, while with
AVX512_BF16 alone it takes 1.55 of it (a Chinese page 2.07 s beside 1.36, an English one 2.63 beside 1.65). So a small
convolution is tried in both, and in eight bits, which a processor without VNNI or AMX is not much faster in. Over 34
drawn pages, small, blurred, noisy, squeezed and handwritten, bfloat16 errs as full precision does (0.066 and 0.075 on
the whole).

Where full precision is faster, lines are read by onnxruntime: as fast as OpenVINO and with the same letters, for 0.2
GiB less of memory. They are found by OpenVINO on every processor: onnxruntime takes 0.73 s for its 0.21.
"""

import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from cluster.engines.ocr.alphabet import Only
from cluster.engines.ocr.quick import STEP, Quick, in_eight_bits

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: The convolution that is tried: channels, and height and width of what it runs over, as in the recogniser.
_TRIED = 256, 12, 320
_TURNS = 5
_PRECISIONS = (32, "f32"), (16, "bf16"), (8, "f32")
#: Halves are taken where they need this share of the time at most (without bfloat16 both take the same), and eight
#: bits where they need that: some lines are read twice then.
_HALVED, _WORTH = 0.9, 0.7


def finder(threads: int, *, halves: bool) -> Any:
    """RapidOCR's detector on so many threads, in bfloat16 or not."""
    found = _rapid(threads, 1, by_openvino=True)._load_det_model()
    if not halves:
        found.session.session = _compiled(found.session.model, threads, "f32").create_infer_request()
    return found


def recogniser(requests: int, *, halves: bool) -> Any:
    """RapidOCR's recogniser, a line a run; so many may run at once, each on one thread."""
    if not halves:
        return _rapid(1, 1, by_openvino=False)._load_rec_model()
    found = _rapid(requests, requests, by_openvino=True)._load_rec_model()
    found.session = _OneEach(found.session.session.get_compiled_model())
    return found


def quick(only: Only, requests: int) -> Quick:
    """The recogniser in eight bits; so many may run at once, each on one thread."""
    return Quick(recogniser_path(), only, requests)


class Speed(NamedTuple):
    """Whether this processor computes in bfloat16 faster than in full precision, and in eight bits much faster."""

    halves: bool
    eighths: bool


def speed() -> Speed:
    """Asked of the processor, in 0.2 s."""
    whole, half, eighth = (_took(_compiled(_trial(bits), 1, name)) for bits, name in _PRECISIONS)
    return Speed(half < _HALVED * whole, eighth < _WORTH * min(whole, half))


def _trial(bits: int) -> Any:
    """A convolution as in the recogniser."""
    import numpy
    from openvino import Model, opset13

    channels, *size = _TRIED
    given = opset13.parameter([1, channels, *size], numpy.float32)
    weights = opset13.constant(numpy.full((channels, channels, 1, 1), 0.01, numpy.float32))
    layer = opset13.convolution(given, weights, [1, 1], [0, 0], [0, 0], [1, 1])
    if bits == 8:
        in_eight_bits(layer, 0, 1)
    return Model([layer], [given])


def _took(model: Any) -> float:
    """Seconds of CPU for the convolution: others at work change them least."""
    import numpy

    request, given = model.create_infer_request(), numpy.ones((1, *_TRIED), numpy.float32)
    request.infer([given])
    took = []
    for _ in range(_TURNS):
        begun = time.process_time()
        request.infer([given])
        took.append(time.process_time() - begun)
    return min(took)


def _compiled(model: Any, threads: int, precision: str) -> Any:
    from openvino import Core

    how = {"INFERENCE_NUM_THREADS": threads, "NUM_STREAMS": 1, "ENABLE_CPU_PINNING": False}
    return Core().compile_model(model, "CPU", how | {"INFERENCE_PRECISION_HINT": precision})


def _rapid(threads: int, streams: int, *, by_openvino: bool) -> Any:
    from rapidocr import EngineType, RapidOCR

    engine = EngineType.OPENVINO if by_openvino else EngineType.ONNXRUNTIME
    runs_on = {
        "openvino.inference_num_threads": threads,
        "openvino.num_streams": streams,
        "openvino.enable_cpu_pinning": False,
        "onnxruntime.intra_op_num_threads": threads,
    }
    return RapidOCR(
        params={
            "Global.use_cls": False,
            "Global.log_level": "error",
            "Det.limit_type": "max",
            "Det.engine_type": engine,
            "Det.model_path": str(_folder() / "PP-OCRv6_det_small.onnx"),
            "Rec.engine_type": engine,
            "Rec.model_path": str(recogniser_path()),
            "Rec.rec_batch_num": 1,
        }
        | {f"EngineConfig.{name}": value for name, value in runs_on.items()}
    )


def recogniser_path() -> Path:
    return _folder() / "PP-OCRv6_rec_small.onnx"


def _folder() -> Path:
    import rapidocr

    return Path(rapidocr.__file__).parent / "models"


class _OneEach:
    """A model that several threads run at once: RapidOCR's session has one request for all of them."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self._mine = threading.local()

    def __call__(self, strip: "NDArray[Any]") -> "NDArray[Any]":
        """Probabilities of letters (1 x steps x letters) over `strip` (1 x 3 x height x width), until the next call."""
        import numpy

        if not hasattr(self._mine, "request"):
            self._mine.request = self._model.create_infer_request()
        missing = -strip.shape[3] % STEP
        self._mine.request.infer([numpy.pad(strip, ((0, 0), (0, 0), (0, 0), (0, missing)))])
        return self._mine.request.get_output_tensor().data  # type: ignore[no-any-return]
