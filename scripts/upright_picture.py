"""The picture that made fixtures show: red top left, green top right, blue bottom left, yellow bottom right, a grey ramp
between them and a black F. Needs Pillow.
"""

from PIL import Image, ImageDraw

RED, GREEN, BLUE, YELLOW = (208, 32, 32), (32, 168, 64), (40, 64, 208), (224, 208, 40)
ALPHAS = (255, 192, 128, 64)


def upright(width, height):
    image = Image.new("RGB", (width, height), RED)
    draw = ImageDraw.Draw(image)
    across, down = width // 2, height // 2
    draw.rectangle((across, 0, width, down - 1), fill=GREEN)
    draw.rectangle((0, down, across - 1, height), fill=BLUE)
    draw.rectangle((across, down, width, height), fill=YELLOW)
    ramp = Image.linear_gradient("L").rotate(90).resize((width, height // 8)).convert("RGB")
    image.paste(ramp, (0, down - height // 16))
    left, top, unit = across - width // 8, height // 4, max(2, height // 20)
    for x, y, w, h in ((0, 0, 1, 10), (0, 0, 5, 1), (0, 4, 4, 1)):
        draw.rectangle((left + x * unit, top + y * unit, left + (x + w) * unit, top + (y + h) * unit), fill="black")
    return image


def alpha_of(width, height):
    """A constant alpha in each quarter."""
    mask = Image.new("L", (width, height), ALPHAS[0])
    draw = ImageDraw.Draw(mask)
    draw.rectangle((width // 2, 0, width, height // 2 - 1), fill=ALPHAS[1])
    draw.rectangle((0, height // 2, width // 2 - 1, height), fill=ALPHAS[2])
    draw.rectangle((width // 2, height // 2, width, height), fill=ALPHAS[3])
    return mask
