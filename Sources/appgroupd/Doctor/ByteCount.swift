/// Bytes for people, in powers of 1,024.
enum ByteCount {
    static func text(_ bytes: UInt64) -> String {
        var value = Double(bytes)
        var unit = "bytes"
        for next in ["KiB", "MiB", "GiB", "TiB"] where value >= 1_024 {
            value /= 1_024
            unit = next
        }
        guard unit != "bytes" else { return "\(bytes) bytes" }
        return value < 10 ? "\((value * 10).rounded() / 10) \(unit)" : "\(Int(value.rounded())) \(unit)"
    }
}
