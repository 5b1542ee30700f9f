import Base
import NotificationModel

/// A list of events in their order, to which any thread can append.
package final class Record<Element: Sendable>: Sendable {
    private let list = Guarded<[Element]>([])

    package init() {}

    package var elements: [Element] { list.withLock { $0 } }
    package func append(_ element: Element) { list.withLock { $0.append(element) } }
}
