import NotificationModel

/// What happened, in order, from any thread.
package final class Record<Element: Sendable>: Sendable {
    private let list = Guarded<[Element]>([])

    package init() {}

    package var elements: [Element] { list.withLock { $0 } }
    package func append(_ element: Element) { list.withLock { $0.append(element) } }
}
