package io.margay.gateway.mirror;

import io.margay.protocol.http.FieldList;

/// What a server has answered to a request that two have got. Immutable; the fields are not
/// changed.
///
/// @param status 0 = no answer came
/// @param nanos from the request to the end of the answer
public record SeenAnswer(int status, FieldList fields, SeenContent content, long nanos) {
    /// None came.
    public static SeenAnswer none(long nanos) {
        return new SeenAnswer(0, new FieldList(), SeenContent.NONE, nanos);
    }
}
