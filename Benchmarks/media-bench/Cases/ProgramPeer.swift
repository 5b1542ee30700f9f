/// A program that is started for each thumbnail, like in many services.
enum ProgramPeer: String, CaseIterable {
    case vipsthumbnail
    case convert

    var executable: String { "/usr/bin/\(rawValue)" }

    func words(input: String, side: Int, output: String) -> [String] {
        switch self {
        case .vipsthumbnail: [input, "--size", "\(side)x\(side)>", "--output", "\(output)[Q=85,strip]"]
        case .convert: [input, "-auto-orient", "-thumbnail", "\(side)x\(side)>", "-quality", "85", output]
        }
    }
}
