<%@ page contentType="text/html; charset=UTF-8" %>
<%@ taglib prefix="c" uri="jakarta.tags.core" %>
<%@ taglib prefix="fn" uri="jakarta.tags.functions" %>
<%@ taglib prefix="form" uri="http://www.springframework.org/tags/form" %>
<!DOCTYPE html>
<html lang="en">
<body>
<h1><c:out value="${greeting}"/></h1>
<p id="told"><c:out value="${told}" default="nothing told"/></p>
<ul>
<c:forEach var="text" items="${notes}" varStatus="each"><li>${each.count}: ${fn:escapeXml(text)}</li>
</c:forEach></ul>
<c:url var="action" value="/notes"/>
<form:form modelAttribute="note" method="post" action="${action}">
<form:input path="text"/> <form:errors path="text" cssClass="error"/>
</form:form>
</body>
</html>
