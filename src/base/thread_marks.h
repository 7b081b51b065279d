// Tells ThreadSanitizer what oneTBB guarantees but, being built without it, cannot show: all that
// came before a parallel region happens before its blocks, and they before what comes after.
//
//   static ThreadMarks marks;                           // not captured, which would be a read
//   marks.release();                                    // before the region
//   parallel_for(… { marks.acquire(); …; marks.release(); });
//   marks.acquire();                                    // after it
//
// Nothing is left of this in any other build.
#pragma once

#ifdef __SANITIZE_THREAD__
extern "C" {
void __tsan_acquire(void* address);
void __tsan_release(void* address);
}
#endif

namespace scree {

class ThreadMarks {
 public:
#ifdef __SANITIZE_THREAD__
  void acquire() { __tsan_acquire(&place_); }
  void release() { __tsan_release(&place_); }

 private:
  char place_ = 0;
#else
  void acquire() {}
  void release() {}
#endif
};

}  // namespace scree
