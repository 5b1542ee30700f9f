"""What colours of high dynamic range are in sRGB, by the formulas of ITU-R BT.2100-2 and BT.2390-10."""

import math

PQ, HLG = 16, 18
M1, M2, C1, C2, C3 = 2610 / 16384, 2523 / 32, 3424 / 4096, 2413 / 128, 2392 / 128


def luminance(number):
    root = number ** (1 / M2)
    return 10000 * (max(0, root - C1) / (C2 - C3 * root)) ** (1 / M1)


def perceived(luminance):
    root = (luminance / 10000) ** M1
    return ((C1 + C2 * root) / (1 + C3 * root)) ** M2


def shown_light(numbers, transfer):
    """In cd/m², on a display of 1,000 (ITU-R BT.2100-2, tables 4 and 5)."""
    if transfer == PQ:
        return [luminance(value) for value in numbers]
    scene = [value ** 2 / 3 if value <= 0.5 else (math.exp((value - 0.55991073) / 0.17883277) + 0.28466892) / 12
             for value in numbers]
    whole = sum(share * value for share, value in zip((0.2627, 0.6780, 0.0593), scene))
    return [1000 * whole ** 0.2 * value for value in scene]


def toned(light):
    """From 1,000 to 203 cd/m² (ITU-R BT.2390-10, 5.4.1)."""
    brightest, most = perceived(1000), perceived(203) / perceived(1000)
    knee, value = 1.5 * most - 0.5, min(1, perceived(light) / perceived(1000))
    if value > knee:
        t = (value - knee) / (1 - knee)
        value = (2 * t**3 - 3 * t**2 + 1) * knee + (t**3 - 2 * t**2 + t) * (1 - knee) + (3 * t**2 - 2 * t**3) * most
    return luminance(value * brightest)


def srgb(numbers, transfer):
    light = shown_light(numbers, transfer)
    scale = toned(max(light)) / max(light) / 203 if max(light) else 0
    light = [scale * value for value in light]
    rows = ((1.66049, -0.58764, -0.07285), (-0.12455, 1.1329, -0.00835), (-0.01815, -0.10058, 1.11873))
    light = [sum(a * b for a, b in zip(row, light)) for row in rows]
    grey = sum(share * value for share, value in zip((0.2126, 0.7152, 0.0722), light))
    share = 1 if min(light) >= 0 else grey / (grey - min(light))
    return [round(255 * (12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055))
            for value in (max(0, grey + (value - grey) * share) for value in light)]
