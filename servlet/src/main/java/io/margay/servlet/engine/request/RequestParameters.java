package io.margay.servlet.engine.request;

import io.margay.protocol.form.FormDecoder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Parameters by name, in order of appearance. Immutable after it was filled.
final class RequestParameters {
    private final Map<String, String[]> values = new LinkedHashMap<>();

    /// Adds decoded pairs after those that are there.
    void add(List<FormDecoder.Pair> pairs) {
        Map<String, List<String>> more = new LinkedHashMap<>();
        for (FormDecoder.Pair pair : pairs) {
            more.computeIfAbsent(pair.name(), k -> new ArrayList<>(1)).add(pair.value());
        }
        more.forEach((name, list) -> append(name, list.toArray(String[]::new)));
    }

    void append(String name, String... added) {
        String[] before = values.get(name);
        if (before == null) {
            values.put(name, added);
            return;
        }
        String[] all = java.util.Arrays.copyOf(before, before.length + added.length);
        System.arraycopy(added, 0, all, before.length, added.length);
        values.put(name, all);
    }

    /// The parameters of a dispatch: those of its query stand before those of the request.
    static RequestParameters merged(
            String query, RequestParameters request, int pairsMax, boolean firstOnly) {
        RequestParameters merged = new RequestParameters();
        merged.add(decodeQuery(query, pairsMax, firstOnly));
        request.values.forEach(merged::append);
        return merged;
    }

    /// @param firstOnly whether more than `pairsMax` are left out, rather than refused
    static List<FormDecoder.Pair> decodeQuery(String query, int pairsMax, boolean firstOnly) {
        FormDecoder decoder = new FormDecoder(StandardCharsets.UTF_8, pairsMax, firstOnly);
        boolean octets = query.chars().allMatch(c -> c < 256);
        boolean good;
        if (octets) {
            good = decoder.decode(query);
        } else {
            byte[] bytes = query.getBytes(StandardCharsets.UTF_8);
            good = decoder.decode(bytes, 0, bytes.length);
        }
        if (!good) {
            throw new BadRequestException(Objects.requireNonNull(decoder.error()));
        }
        return decoder.pairs();
    }

    static List<FormDecoder.Pair> decodeForm(
            byte[] body, int length, Charset charset, int max, boolean firstOnly) {
        FormDecoder decoder = new FormDecoder(charset, max, firstOnly);
        if (!decoder.decode(body, 0, length)) {
            throw new BadRequestException(Objects.requireNonNull(decoder.error()));
        }
        return decoder.pairs();
    }

    int count() {
        int count = 0;
        for (String[] all : values.values()) {
            count += all.length;
        }
        return count;
    }

    @Nullable String first(String name) {
        String[] all = values.get(name);
        return all == null || all.length == 0 ? null : all[0];
    }

    String @Nullable [] all(String name) {
        String[] all = values.get(name);
        return all == null ? null : all.clone();
    }

    Map<String, String[]> map() {
        Map<String, String[]> copy = new LinkedHashMap<>();
        values.forEach((name, all) -> copy.put(name, all.clone()));
        return Collections.unmodifiableMap(copy);
    }
}
