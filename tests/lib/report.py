# SPDX-License-Identifier: GPL-2.0-only
"""Collects results of all suites and prints what a person needs of them."""

import time

import tap


_MAX_NOTES = 600     # characters in the line of one failure


class Report:
    """Counts, and one line per failed or skipped test as it comes."""

    def __init__(self, verbose=False):
        self.counts = {tap.PASS: 0, tap.FAIL: 0, tap.SKIP: 0}
        self.verbose = verbose
        self.seen = {}      # results so far, by what has run
        self._suite_counts = None
        self._started = 0.0

    def begin(self, suite):
        """A suite starts."""
        self._suite_counts = dict(self.counts)
        self._started = time.monotonic()
        print("== %s" % suite, flush=True)

    def end(self, suite):
        """A suite ended: its own numbers in one line."""
        diff = {k: v - self._suite_counts[k] for k, v in self.counts.items()}
        text = ", ".join("%d %s" % (diff[k], k)
                         for k in (tap.PASS, tap.FAIL, tap.SKIP)
                         if diff[k] or k == tap.PASS)
        print("== %s: %s (%.1f s)"
              % (suite, text, time.monotonic() - self._started), flush=True)

    def add(self, where, results, alone):
        """Results of one program; alone is the command that runs it again."""
        self.seen.setdefault(where, []).extend(results)
        for result in results:
            self.counts[result.outcome] += 1
            if result.outcome == tap.FAIL:
                self._failed(where, result, alone)
            elif result.outcome == tap.SKIP:
                print("SKIP %s: %s: %s" % (where, result.name,
                                           "; ".join(result.notes)))
            elif self.verbose:
                print("ok   %s: %s" % (where, result.name))
        print(end="", flush=True)

    def fail(self, where, name, notes, alone):
        """A failure that no test program reported itself."""
        self.add(where, [tap.Result(name, tap.FAIL, notes)], alone)

    @staticmethod
    def _failed(where, result, alone):
        said = dict.fromkeys(n.strip() for n in result.notes if n.strip())
        notes = "; ".join(said) or "nothing was said"
        if len(notes) > _MAX_NOTES:
            notes = notes[:_MAX_NOTES] + " ..."
        print("FAIL %s: %s: %s [alone: %s]"
              % (where, result.name, notes, alone))

    def summary(self):
        """The plain last line."""
        text = "%d passed, %d failed" % (self.counts[tap.PASS],
                                         self.counts[tap.FAIL])
        if self.counts[tap.SKIP]:
            text += ", %d skipped" % self.counts[tap.SKIP]
        return text
