"""Between which numbers the inputs of PP-OCRv6_rec_small's large layers lie: what eight bits are spread over.

Taken of 120 drawn lines of random words, figures and 汉字 in many faces, half of them blurred, grained or askew: the
range over which 256 steps err least in the square. What turns whole channels up (squeeze and excite), the first layer
and the last, which tells letters, are left as they are.
"""

RANGES = {
    "Conv.1": (0.000, 15.182),
    "Conv.2": (0.000, 26.984),
    "Conv.3": (0.000, 48.904),
    "Conv.4": (0.000, 17.239),
    "Conv.8": (-1.222, 1.489),
    "Conv.9": (-0.170, 3.311),
    "Conv.11": (-1.730, 2.054),
    "Conv.12": (-0.170, 3.733),
    "Conv.14": (-1.575, 1.786),
    "Conv.15": (-0.170, 2.285),
    "Conv.17": (-4.505, 2.922),
    "Conv.18": (-0.170, 3.889),
    "Conv.22": (-0.862, 1.065),
    "Conv.23": (-0.170, 3.473),
    "Conv.25": (-1.959, 2.189),
    "Conv.26": (-0.170, 2.415),
    "Conv.30": (-1.528, 1.196),
    "Conv.31": (-0.170, 2.745),
    "Conv.33": (-1.544, 3.162),
    "Conv.34": (-0.170, 2.610),
    "Conv.38": (-0.699, 0.812),
    "Conv.39": (-0.170, 3.264),
    "Conv.41": (-1.737, 1.527),
    "Conv.42": (-0.170, 1.782),
    "Conv.44": (-3.343, 3.269),
    "Conv.45": (-0.170, 5.162),
    "Conv.49": (-0.840, 0.861),
    "Conv.50": (-0.170, 5.957),
    "Conv.52": (-7.443, 6.635),
    "Conv.53": (-0.170, 4.197),
    "Conv.55": (-6.203, 7.377),
    "MatMul.0": (-4.093, 9.412),
    "MatMul.3": (-1.230, 2.091),
    "MatMul.4": (-13.262, 10.846),
    "MatMul.5": (-0.278, 9.573),
    "MatMul.6": (-4.772, 6.549),
    "MatMul.9": (-1.925, 3.312),
    "MatMul.10": (-11.353, 7.870),
    "MatMul.11": (-0.278, 5.968),
    "Conv.54": (-6.203, 7.160),
}
