import CFFmpeg
import MediaHeaders
import TranscodeProtocol

/// Decodes the strips or tiles of a TIFF one by one and lays them into one picture. FFmpeg 5.1's decoder reads neither
/// tiles nor JPEG, and no profile of inks.
enum TIFFDecoding {
    static func decode(
        _ source: borrowing MappedInput, _ header: TIFFHeader, facts: ImageFacts, limits: DecodeLimits
    ) throws(TranscodeFailure) -> Frame {
        let canvas: Frame
        if header.compression == .jpeg {
            canvas = try ofJPEGs(source, header, limits: limits)
        } else if header.samples.isAssembled {
            canvas = try ofRows(source, header, limits: limits)
        } else {
            canvas = try ofTiles(source, header, limits: limits)
        }
        guard header.colorModel != .cmyk else { return canvas }
        try canvas.attachColorProfile(of: source, at: facts.colorProfile)
        return try AlphaMerge.apply(facts.alpha, to: canvas)
    }

    private static func ofJPEGs(
        _ source: borrowing MappedInput, _ header: TIFFHeader, limits: DecodeLimits
    ) throws(TranscodeFailure) -> Frame {
        let inks = header.inkConversion(source)
        var canvas = try Canvas(header)
        for index in 0..<header.parts.count {
            let picture = try TIFFJPEG.picture(source, header, part: index, limits: limits)
            if header.colorModel == .cmyk {
                // TIFF stores inks the other way round: 0 is no ink.
                picture.invert()
                try canvas.paste(inks.rgb(picture), part: index)
            } else {
                try canvas.paste(picture, part: index)
            }
        }
        return try canvas.finish()
    }

    private static func ofTiles(
        _ source: borrowing MappedInput, _ header: TIFFHeader, limits: DecodeLimits
    ) throws(TranscodeFailure) -> Frame {
        let decoder = try TIFFPartDecoder(header, limits: limits)
        var canvas = try Canvas(header)
        for index in 0..<header.parts.columns * header.parts.rows {
            try canvas.paste(decoder.picture(of: source, part: index), part: index)
        }
        return try canvas.finish()
    }

    private static func ofRows(
        _ source: borrowing MappedInput, _ header: TIFFHeader, limits: DecodeLimits
    ) throws(TranscodeFailure) -> Frame {
        let decoder = try TIFFPartDecoder(header, limits: limits)
        let inks = header.inkConversion(source)
        let luma = header.samples.luma.map(LumaConversion.init)
        let hasAlpha = header.alpha == .associated || header.alpha == .unassociated
        let canvas = try Frame.allocate(
            width: header.width, height: header.height, format: hasAlpha ? AV_PIX_FMT_RGBA : AV_PIX_FMT_RGB24)
        for index in 0..<header.parts.columns * header.parts.rows {
            let samples = try decoder.picture(of: source, part: index)
            let place = header.place(ofPart: index)
            if let luma {
                luma.draw(samples, into: canvas, place)
            } else {
                InkSamples(header.samples, width: header.parts.width)
                    .draw(samples, by: inks, into: canvas, place)
            }
        }
        return canvas
    }

    /// The picture that parts of one format are laid into.
    private struct Canvas: ~Copyable {
        private let header: TIFFHeader
        private var picture: Frame?

        init(_ header: TIFFHeader) throws(TranscodeFailure) {
            self.header = header
        }

        /// - Parameter part: may reach beyond the picture, and not end before it.
        mutating func paste(_ part: borrowing Frame, part index: Int) throws(TranscodeFailure) {
            let place = header.place(ofPart: index)
            guard part.width >= place.columns.count, part.height >= place.rows.count else {
                throw TranscodeFailure(.corrupt, "TIFF: a part is smaller than the size in the file")
            }
            let whole: Frame
            if let begun = picture.take() {
                whole = begun
            } else {
                whole = try Frame.allocate(width: header.width, height: header.height, format: part.format)
                try whole.copyProperties(from: part)
                whole.copyPalette(from: part)
            }
            try whole.paste(part, x: place.columns.lowerBound, y: place.rows.lowerBound)
            picture = consume whole
        }

        consuming func finish() throws(TranscodeFailure) -> Frame {
            guard let whole = picture.take() else { throw TranscodeFailure(.corrupt, "TIFF: no parts") }
            return whole
        }
    }
}

extension TIFFHeader {
    fileprivate func inkConversion(_ source: borrowing MappedInput) -> CMYKConversion {
        guard let range = profile else { return CMYKConversion(nil) }
        return CMYKConversion(source.withBytes { ColorTransform.make(from: $0.extracting(range), kind: .inks) })
    }

    /// The pixels that a part shows.
    func place(ofPart index: Int) -> (columns: Range<Int>, rows: Range<Int>) {
        let (left, top) = (index % parts.columns * parts.width, index / parts.columns % parts.rows * parts.height)
        return (left..<min(width, left + parts.width), top..<min(height, top + parts.height))
    }
}
