import CSystem

/// Threads of the project's own, for calls that block.
public enum WorkerThread {
  /// Runs `body` on a new thread.
  ///
  /// - Parameter stackSize: Bytes; the scanner's threads never recurse with the tree's depth.
  /// - Throws: The reason why no thread could be made.
  public static func start(
    stackSize: Int = 512 * 1024, _ body: sending @escaping () -> Void
  ) throws(Errno) {
    let box = Unmanaged.passRetained(Body(body))
    let error = csystem_spawn(
      { context in
        guard let context else { return }
        Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
      }, box.toOpaque(), stackSize)
    if error != 0 {
      box.release()
      throw Errno(rawValue: error)
    }
  }

  /// Has the calling thread go after all others from now on, wherever processors are short.
  public static func stepBack() { csystem_step_back() }

  /// Lets others work for a while.
  public static func pause(milliseconds: UInt32) { csystem_pause(milliseconds) }

  private final class Body {
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
  }
}
