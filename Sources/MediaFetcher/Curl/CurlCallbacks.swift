import Base
import CCurl
import COpenSSL
import Glibc
import LinuxIO

// libcurl calls these functions on the thread of the driver, during a call of the driver into libcurl. Each function
// finds its object, calls one method and translates the result. None of them traps, waits, or calls libcurl.

/// Receives bytes of the body (CURLOPT_WRITEFUNCTION). Any other result than the full length aborts the transfer.
func receiveBody(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let transfer = unsafe transfer(context) else { return 0 }
    let verdict = unsafe transfer.receivedBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
    return verdict == .proceed ? size * count : 0
}

/// Receives one header line of the response, or of the proxy's response to CONNECT (CURLOPT_HEADERFUNCTION).
func receiveHeader(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let transfer = unsafe transfer(context) else { return 0 }
    let verdict = unsafe transfer.receivedHeader(UnsafeRawBufferPointer(start: bytes, count: size * count))
    return verdict == .proceed ? size * count : 0
}

/// Opens the socket of a connection (CURLOPT_OPENSOCKETFUNCTION). The address is validated here, before anything is
/// sent to it.
func openSocket(
    _ context: UnsafeMutableRawPointer?, _ mode: curlsocktype, _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let transfer = unsafe transfer(context), let address = unsafe address else { return agd_socket_bad }
    var bytes = [UInt8](repeating: 0, count: 16)
    var port: UInt16 = 0
    let count = Int(unsafe agd_address_of(address, &bytes, &port))
    let judged = IPAddress(bytes: bytes.span.extracting(first: count))
    guard transfer.mayConnect(to: judged, port: port) else { return agd_socket_bad }
    if let port = transfer.stubPort { unsafe agd_set_loopback(address, port) }
    let descriptor = unsafe socket(
        address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue), address.pointee.protocol)
    if descriptor < 0 { transfer.noteSocketFailure(.last("socket")) } else { transfer.opened(descriptor) }
    return descriptor
}

/// Closes the socket of a connection for libcurl (CURLOPT_CLOSESOCKETFUNCTION).
func closeSocket(_ context: UnsafeMutableRawPointer?, _ socket: curl_socket_t) -> Int32 {
    unsafe driver(context)?.closes(socket)
    return close(socket)
}

/// Returns whether libcurl may resolve a host that is not pinned (CURLOPT_RESOLVER_START_FUNCTION). Any other result
/// than 0 aborts the transfer.
func resolverStarts(
    _ state: UnsafeMutableRawPointer?, _ reserved: UnsafeMutableRawPointer?, _ context: UnsafeMutableRawPointer?
) -> Int32 {
    unsafe transfer(context)?.mayResolve ?? false ? 0 : 1
}

/// Returns whether a new or reused connection may carry the request (CURLOPT_PREREQFUNCTION).
func beforeRequest(
    _ context: UnsafeMutableRawPointer?, _ remoteAddress: UnsafeMutablePointer<CChar>?,
    _ localAddress: UnsafeMutablePointer<CChar>?, _ remotePort: Int32, _ localPort: Int32
) -> Int32 {
    guard let transfer = unsafe transfer(context), let remoteAddress = unsafe remoteAddress else {
        return CURL_PREREQFUNC_ABORT
    }
    let endpoints = unsafe ConnectionEndpoints(
        localPort: UInt16(clamping: localPort), address: String(cString: remoteAddress),
        port: UInt16(clamping: remotePort))
    return transfer.mayRequest(over: endpoints) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}

/// Sets up the TLS of a connection before its handshake (CURLOPT_SSL_CTX_FUNCTION).
func beginTLS(
    _ handle: UnsafeMutableRawPointer?, _ ssl: UnsafeMutableRawPointer?, _ context: UnsafeMutableRawPointer?
) -> CURLcode {
    guard let easy = unsafe easy(context), let ssl = unsafe ssl else { return CURLE_BAD_FUNCTION_ARGUMENT }
    let connections = OpaquePointer(ssl)
    let connection = easy.transfer?.connection
    // The TLS of an https proxy begins first, and the TLS of the origin runs inside it.
    let isToProxy = easy.kind.proxy?.isSecure == true && connection?.isSecure == false
    guard unsafe easy.handOverTrust(to: connections, isToProxy: isToProxy) else { return CURLE_SSL_CACERT_BADFILE }
    // Only the outer TLS records are counted, because they contain all bytes that arrive.
    guard let connection, !connection.isSecure else { return CURLE_OK }
    return unsafe connection.meter(connections) ? CURLE_OK : CURLE_OUT_OF_MEMORY
}

/// Counts a received TLS record (SSL_CTX_set_msg_callback). OpenSSL passes the header of the record: its type, its
/// version, and the length of the rest in two bytes (RFC 8446 §5.1). After a flood, this function makes OpenSSL report
/// the end of the connection, so that it reads no more.
func receiveRecord(
    _ isSent: Int32, _ version: Int32, _ type: Int32, _ bytes: UnsafeRawPointer?, _ count: Int,
    _ ssl: OpaquePointer?, _ context: UnsafeMutableRawPointer?
) {
    guard isSent == 0, type == SSL3_RT_HEADER, count == 5, let bytes = unsafe bytes, let context = unsafe context else {
        return
    }
    let connection = unsafe Unmanaged<MeteredConnection>.fromOpaque(context).takeUnretainedValue()
    let length =
        unsafe Int(bytes.load(fromByteOffset: 3, as: UInt8.self)) << 8
        | Int(bytes.load(fromByteOffset: 4, as: UInt8.self))
    guard connection.received(count + length) else { return }
    unsafe SSL_set_shutdown(ssl, SSL_get_shutdown(ssl) | SSL_RECEIVED_SHUTDOWN)
}

/// Releases the object of a connection after the last TLS connection of its `SSL_CTX` has ended (CRYPTO_EX_free).
func releaseConnection(
    _ parent: UnsafeMutableRawPointer?, _ connection: UnsafeMutableRawPointer?,
    _ data: UnsafeMutablePointer<CRYPTO_EX_DATA>?, _ slot: Int32, _ number: Int, _ context: UnsafeMutableRawPointer?
) {
    guard let connection = unsafe connection else { return }
    unsafe Unmanaged<MeteredConnection>.fromOpaque(connection).release()
}

/// Starts or stops watching a socket for libcurl (CURLMOPT_SOCKETFUNCTION).
func watchSocket(
    _ easy: UnsafeMutableRawPointer?, _ socket: curl_socket_t, _ what: Int32, _ context: UnsafeMutableRawPointer?,
    _ socketContext: UnsafeMutableRawPointer?
) -> Int32 {
    unsafe driver(context)?.watch(socket, for: what)
    return 0
}

/// Sets the timer of libcurl in milliseconds; -1 stops it (CURLMOPT_TIMERFUNCTION).
func setTimer(_ multi: UnsafeMutableRawPointer?, _ milliseconds: Int, _ context: UnsafeMutableRawPointer?) -> Int32 {
    unsafe driver(context)?.setTimer(milliseconds: milliseconds)
    return 0
}

private func easy(_ context: UnsafeMutableRawPointer?) -> CurlEasy? {
    unsafe context.map { unsafe Unmanaged<CurlEasy>.fromOpaque($0).takeUnretainedValue() }
}

private func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer? { unsafe easy(context)?.transfer }

private func driver(_ context: UnsafeMutableRawPointer?) -> MultiHandleDriver? {
    unsafe context.map { unsafe Unmanaged<MultiHandleDriver>.fromOpaque($0).takeUnretainedValue() }
}
