/// The colour that most of a picture has.
///
/// Colours are counted in boxes that are sixteen steps of each channel wide; the answer is the mean of the fullest box,
/// so that noise and small details have no say in it. The mean of the whole picture would be a colour that is nowhere in
/// it.
enum DominantColor {
    /// Pixels with less alpha are seen as what is behind them.
    private static let leastAlpha: UInt8 = 128

    private struct Box {
        var count = 0
        var red = 0
        var green = 0
        var blue = 0

        mutating func add(_ sample: ColorSamples.Sample) {
            count += 1
            red += Int(sample.red)
            green += Int(sample.green)
            blue += Int(sample.blue)
        }
    }

    /// - Returns: `#rrggbb`; `nil` where no pixel is opaque.
    static func text(of picture: ColorSamples) -> String? {
        var boxes = [Box](repeating: Box(), count: 1 << 12)
        for sample in picture.samples where sample.alpha >= leastAlpha {
            boxes[Int(sample.red >> 4) << 8 | Int(sample.green >> 4) << 4 | Int(sample.blue >> 4)].add(sample)
        }
        // Of boxes that are equally full the darkest counts, so that the answer is always the same.
        var fullest = Box()
        for box in boxes where box.count > fullest.count { fullest = box }
        guard fullest.count > 0 else { return nil }
        return "#"
            + [fullest.red, fullest.green, fullest.blue].map { sum in
                let digits = String((sum + fullest.count / 2) / fullest.count, radix: 16)
                return digits.count < 2 ? "0" + digits : digits
            }.joined()
    }
}
