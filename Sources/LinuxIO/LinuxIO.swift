/// The kernel, as the rest of the program sees it.
///
/// What is here: descriptors that close themselves, one owned thread that is an epoll loop and an actor's executor at
/// once, sockets that pass descriptors, child processes, nameless files, resource limits. What comes in are Swift
/// values; what goes out are Swift values or a `SystemError`. Nothing here knows what a notification is.
///
/// The cooperative pool never blocks on anything in this target: what may block runs on an `EventLoop` of its owner.
package enum LinuxIO {}
