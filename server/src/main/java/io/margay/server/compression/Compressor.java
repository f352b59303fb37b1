package io.margay.server.compression;

import io.margay.protocol.http.FieldList;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.MemoryBudget;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import org.jspecify.annotations.Nullable;

/// Compresses the content of responses, whoever answers: applications, files and gateways write to
/// an exchange, and what they write is encoded on its way to the client. Thread-safe.
///
/// The encoders that are at work count as memory that clients make the server hold; where there is
/// no room for another one, a response goes as it is.
public final class Compressor {
    private static final int ROOM_LEAST = 1024;

    private final MemoryBudget memory;
    private final KeptContents kept;
    private final Map<Coding, ArrayBlockingQueue<Encoder>> idle = new EnumMap<>(Coding.class);

    public Compressor(MemoryBudget memory, CompressionLimits limits) {
        this.memory = memory;
        kept = new KeptContents(limits.keptBytes());
        for (Coding coding : Coding.values()) {
            idle.put(coding, new ArrayBlockingQueue<>(limits.idleEncoders()));
        }
    }

    /// The exchange that a handler is to answer in place of the client's.
    public Exchange compress(DialingExchange exchange, Compression compression) {
        return EncodedResponse.around(
                exchange,
                length -> {
                    ResponseCoding.Choice choice =
                            ResponseCoding.choose(exchange, compression, length);
                    return choice == null ? null : new Compressed(choice);
                });
    }

    /// A response in a coding.
    private final class Compressed implements Recoding.Recoded {
        private final ResponseCoding.Choice choice;

        Compressed(ResponseCoding.Choice choice) {
            this.choice = choice;
        }

        @Override
        public byte @Nullable [] known(byte[] content) {
            return kept.find(content, choice.coding(), choice.config().level());
        }

        @Override
        public void keep(byte[] content, byte[] encoded) {
            kept.keep(content, choice.coding(), choice.config().level(), encoded);
        }

        @Override
        public @Nullable EncoderLease lease(long length) {
            // Text becomes a fifth to a third: half is room for nearly all.
            int room =
                    length < 0
                            ? EncodedResponse.BUFFER_BYTES
                            : Math.clamp(length / 2, ROOM_LEAST, EncodedResponse.BUFFER_BYTES);
            return Compressor.this.lease(choice.coding(), choice.config(), room);
        }

        @Override
        public void describe(FieldList fields) {
            ResponseCoding.describe(fields, choice.coding());
        }
    }

    /// An encoder for one response, or null when there is no memory for it.
    ///
    /// @param room of its first buffer
    private @Nullable EncoderLease lease(Coding coding, CompressionConfig config, int room) {
        if (!memory.take(coding.encoderBytes())) {
            return null;
        }
        Encoder known = idle(coding).poll();
        Encoder encoder = known == null ? Encoders.of(coding) : known;
        encoder.begin(config.level());
        return new EncoderLease(encoder, (one, reusable) -> release(coding, one, reusable), room);
    }

    private void release(Coding coding, Encoder encoder, boolean reusable) {
        memory.give(coding.encoderBytes());
        if (!reusable || !idle(coding).offer(encoder)) {
            encoder.close();
        }
    }

    private ArrayBlockingQueue<Encoder> idle(Coding coding) {
        return java.util.Objects.requireNonNull(idle.get(coding));
    }
}
