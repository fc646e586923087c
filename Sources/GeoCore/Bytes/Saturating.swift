/// Arithmetic on numbers from outside, such as times and sizes of a list, which may be as large as
/// their type: a result beyond it is the nearest number that fits.
extension FixedWidthInteger where Self: SignedInteger {
  @inlinable package func adding(saturating other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other > 0 ? .max : .min) : sum
  }

  @inlinable package func subtracting(saturating other: Self) -> Self {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }

  @inlinable package func multiplied(saturating other: Self) -> Self {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? ((self < 0) == (other < 0) ? .max : .min) : product
  }

  /// The number nearest to a floating-point number; 0 for none.
  @inlinable package init(saturating number: Double) {
    self = Self(exactly: number.rounded()) ?? (number > 0 ? .max : number < 0 ? .min : 0)
  }
}
