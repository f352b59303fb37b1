<%@ page contentType="text/html; charset=UTF-8" session="false" isErrorPage="true" %>
<%@ taglib prefix="t" tagdir="/WEB-INF/tags" %>
<%@ taglib prefix="c" uri="jakarta.tags.core" %>
<t:page title="No such page">
<p>There is nothing at <c:out value="${pageContext.errorData.requestURI}"/>.</p>
</t:page>
