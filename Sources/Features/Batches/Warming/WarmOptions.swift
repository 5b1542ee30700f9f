import ArgumentParser
import Base
import FeatureKit
import FoundationEssentials
import NotificationModel
import NotificationProcessor

extension WarmFormat: ExpressibleByArgument {}

/// The number or the percentage of items that may fail before the exit status is 1.
enum FailureTolerance: Equatable, CustomStringConvertible {
    case items(Int)
    case percent(Double)

    /// Parses the value of `--tolerate`.
    init(_ text: String) throws(ValidationError) {
        if text.hasSuffix("%") {
            guard let percent = Double(text.dropLast()), (0...100).contains(percent) else {
                throw ValidationError("a percentage must be from 0% to 100%, such as 1.5%.")
            }
            self = .percent(percent)
        } else if let count = Int(text), count >= 0 {
            self = .items(count)
        } else {
            let hint = Double(text).map { (0...100).contains($0) } == true ? "; did you mean \(text)%?" : "."
            throw ValidationError("it must be a number of items, such as 5, or a percentage, such as 1%\(hint)")
        }
    }

    var description: String {
        switch self {
        case .items(let most): "\(most)"
        case .percent(let percent): "\(percent)%"
        }
    }

    func isExceeded(by failed: Int, of items: Int) -> Bool {
        switch self {
        case .items(let most): failed > most
        case .percent(let percent): Double(failed) * 100 > percent * Double(items)
        }
    }
}

/// The form in which `warm` displays its progress.
enum ProgressMode: String, ExpressibleByArgument, CaseIterable {
    case bar
    case plain
    case json
    case none
}
