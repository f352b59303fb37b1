<%@ page contentType="text/html; charset=UTF-8" %>
<%@ taglib prefix="t" tagdir="/WEB-INF/tags" %>
<%@ taglib prefix="c" uri="jakarta.tags.core" %>
<c:set var="visits" scope="session" value="${sessionScope.visits + 1}"/>
<t:page title="Visits">
<p>Visit number ${visits} of this session.</p>
<p><a href="<c:url value="/visits.jsp"/>">Again</a></p>
</t:page>
