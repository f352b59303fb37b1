package io.margay.telemetry.otel;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.opentelemetry.sdk.trace.samplers.SamplingDecision;
import io.opentelemetry.sdk.trace.samplers.SamplingResult;
import java.util.List;

/// Has spans recorded that are not sampled, since it is known at their end only whether they are
/// worth being sent. Immutable.
///
/// @param sampler decides which are sampled
record RecordingSampler(Sampler sampler) implements Sampler {
    @Override
    public SamplingResult shouldSample(
            Context parent,
            String traceId,
            String name,
            SpanKind kind,
            Attributes attributes,
            List<LinkData> links) {
        SamplingResult decided =
                sampler.shouldSample(parent, traceId, name, kind, attributes, links);
        return decided.getDecision() == SamplingDecision.DROP
                ? SamplingResult.recordOnly()
                : decided;
    }

    @Override
    public String getDescription() {
        return "recording " + sampler.getDescription();
    }
}
