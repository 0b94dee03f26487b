"""The models that RapidOCR's package brings, on OpenVINO.

It computes in bfloat16 where the processor can (AVX512_BF16, AMX): a page takes 0.6 of onnxruntime's CPU (Chinese
0.90 s for 1.51, English 1.14 for 2.03), for 0.3 GiB more of memory; elsewhere both take the same. Over 34 drawn pages,
small, blurred, noisy, squeezed and handwritten, it errs as full precision does (0.066 and 0.075 on the whole).
"""

import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Strips are widened to a multiple of this (pixels), for each new width costs memory and time to prepare.
_STEP = 64


def finder(threads: int) -> Any:
    """RapidOCR's detector on so many threads."""
    return _rapid(threads, streams=1)._load_det_model()


def recogniser(requests: int) -> Any:
    """RapidOCR's recogniser, a line a run; so many may run at once, each on one thread."""
    found = _rapid(requests, streams=requests)._load_rec_model()
    found.session = _OneEach(found.session.session.get_compiled_model())
    return found


def _rapid(threads: int, streams: int) -> Any:
    import rapidocr
    from rapidocr import EngineType, RapidOCR

    models = Path(rapidocr.__file__).parent / "models"
    runs_on = {"inference_num_threads": threads, "num_streams": streams, "enable_cpu_pinning": False}
    return RapidOCR(
        params={
            "Global.use_cls": False,
            "Global.log_level": "error",
            "Det.limit_type": "max",
            "Det.engine_type": EngineType.OPENVINO,
            "Det.model_path": str(models / "PP-OCRv6_det_small.onnx"),
            "Rec.engine_type": EngineType.OPENVINO,
            "Rec.model_path": str(models / "PP-OCRv6_rec_small.onnx"),
            "Rec.rec_batch_num": 1,
        }
        | {f"EngineConfig.openvino.{name}": value for name, value in runs_on.items()}
    )


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
        missing = -strip.shape[3] % _STEP
        self._mine.request.infer([numpy.pad(strip, ((0, 0), (0, 0), (0, 0), (0, missing)))])
        return self._mine.request.get_output_tensor().data  # type: ignore[no-any-return]
