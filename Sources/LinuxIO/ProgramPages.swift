import CLinuxShims

/// The pages of this process that are code and constants, of the program and of its libraries: they are the page cache's,
/// and a process has those mapped that it has read, and their neighbours (16 at a time).
package enum ProgramPages {
    /// Lets go of them all: what only the start has needed (initialisers, tables of symbols) does not count as the
    /// process's memory any more. What is read again is mapped again, a microsecond for 16 pages.
    ///
    /// Takes about a tenth of a millisecond. What a debugger or a probe has written into such pages is lost.
    package static func letGo() { agd_let_program_pages_go() }
}
