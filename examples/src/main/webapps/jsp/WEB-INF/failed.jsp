<%@ page contentType="text/html; charset=UTF-8" session="false" isErrorPage="true" %>
<%@ taglib prefix="t" tagdir="/WEB-INF/tags" %>
<t:page title="That failed">
<p>${pageContext.errorData.requestURI} ended with status ${pageContext.errorData.statusCode}:
${pageContext.exception.message}.</p>
</t:page>
