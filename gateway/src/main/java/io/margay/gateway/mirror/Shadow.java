package io.margay.gateway.mirror;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.RequestHead;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Compares what two servers answer to the same requests, and knows what has differed. Thread-safe.
/// Whatever it holds is bounded, and nothing of it is a credential that could be shown.
public interface Shadow {
    /// Takes up a request that the old server has answered and the new one is to answer. Never
    /// waits, for loops ask.
    ///
    /// @param received its fields, as members see them
    /// @param credentials whether the new server gets `Authorization`; a request that has it is not
    ///   compared otherwise
    /// @return null when the new server is not asked, which is counted
    @Nullable Pairing begin(RequestHead asked, Fields received, boolean credentials);

    /// A request is not compared, because the processors are busy, or too many copies are under
    /// way. Never waits.
    void leftOut(boolean busy);

    /// A request that the old server alone has got is answered. Never waits.
    ///
    /// @param received fields of the request
    /// @param answered fields of the response
    void oldAlone(Fields received, FieldList answered);

    /// Whether requests are recorded.
    boolean isRecording();

    /// How much of what was recorded is not in the file yet.
    int unwritten();

    /// A request of a client is answered, whoever has got it. Called where requests are recorded;
    /// never waits.
    ///
    /// @param received its fields, as members see them
    /// @param status of the response
    void record(RequestHead asked, Fields received, int status);

    /// What came of it so far.
    ShadowReading read();

    /// What came of it so far, for a terminal.
    String text();

    /// What came of it so far, as one page of HTML that loads nothing.
    ///
    /// @param title of the page
    /// @param chapters what else it says, before the differences
    String page(String title, List<Chapter> chapters);

    /// A part of the page.
    ///
    /// @param lines of text
    record Chapter(String title, List<String> lines) {
        public Chapter {
            lines = List.copyOf(lines);
        }
    }

    /// One request that both servers get. Its methods are called in this order, by one thread at a
    /// time.
    interface Pairing {
        /// The cookies that the new server gets in place of the client's; empty = none.
        String cookies();

        /// Both have answered. Never waits; no answer is looked at but for its cookies.
        void answered(SeenAnswer old, SeenAnswer fresh);

        /// Compares the answers; takes as long as that takes.
        ///
        /// @return whether the old server is asked once more
        boolean compare(SeenAnswer old, SeenAnswer fresh);

        /// The old server was asked once more; takes as long as comparing takes.
        ///
        /// @return whether it is asked a last time, at least a second later
        boolean again(SeenAnswer old, SeenAnswer repeated);
    }
}
